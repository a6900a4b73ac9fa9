/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * io.d - block requests and open files: bufinfo_t, devinfo_t, fileinfo_t, fds[].
 */
inline int B_BUSY = 0x00000001;
inline int B_DONE = 0x00000002;
inline int B_ERROR = 0x00000004;
inline int B_PAGEIO = 0x00000010;
inline int B_PHYS = 0x00000020;
inline int B_READ = 0x00000040;
inline int B_WRITE = 0x00000100;
inline int B_ASYNC = 0x00000400;

typedef struct bufinfo {
	int b_flags;
	size_t b_bcount;
	char *b_addr;
	uint64_t b_lblkno;
	uint64_t b_blkno;
	size_t b_resid;
	size_t b_bufsize;
	char *b_iodone;
	int b_error;
	uint32_t b_edev;
} bufinfo_t;

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;
	string dev_name;
	string dev_statname;
	string dev_pathname;
} devinfo_t;

typedef struct fileinfo {
	string fi_name;
	string fi_dirname;
	string fi_pathname;
	long long fi_offset;
	string fi_fs;
	string fi_mount;
	int fi_oflags;
} fileinfo_t;

/* A disk and its partition by the name that /dev has: sda1, nvme0n1p1. */
inline int __ends_in_digit[string S] =
	strlen(S) != 0 && substr(S, strlen(S) - 1) >= "0" && substr(S, strlen(S) - 1) <= "9";
inline string __part_name[struct gendisk *G, int P] = P == 0 ? stringof(G->disk_name) :
	strjoin(G->disk_name, strjoin(__ends_in_digit[stringof(G->disk_name)] ? "p" : "", lltostr(P)));
inline int __bdev_part[struct block_device *D] =
	__has_member(struct block_device, bd_partno) ? D->bd_partno : D->__bd_flags.counter & 0xff;

/* The disk, the partition and the device number that a request goes to. */
inline struct gendisk *__bio_disk[struct bio *B] =
	__has_member(struct bio, bi_bdev) ? B->bi_bdev->bd_disk : B->bi_disk;
inline int __bio_part[struct bio *B] =
	__has_member(struct bio, bi_bdev) ? __bdev_part[B->bi_bdev] : B->bi_partno;
inline int __bio_none[struct bio *B] =
	__has_member(struct bio, bi_bdev) ? B->bi_bdev == NULL : B->bi_disk == NULL;
inline uint32_t __bio_dev[struct bio *B] =
	__bio_none[B] ? 0 : __has_member(struct bio, bi_bdev) ? B->bi_bdev->bd_dev :
	B->bi_disk->major << 20 | (B->bi_disk->first_minor + B->bi_partno);

/* A blk_status_t, or a negative error number, as a positive one. */
inline int __blk_errno[int S] = S <= 0 ? -S :
	S == 1 ? 95 : S == 2 ? 110 : S == 3 ? 28 : S == 4 ? 67 : S == 5 ? 121 : S == 6 ? 52 :
	S == 7 ? 61 : S == 8 ? 84 : S == 9 ? 12 : S == 12 ? 11 : S == 13 ? 16 : 5;

translator bufinfo_t < struct bio *B > {
	b_flags = (B->bi_opf & 1 ? 0x100 : 0x40) | (B->bi_opf & 0x800 ? 0 : 0x400) | 0x20 |
		(B->bi_status != 0 ? 0x04 : 0);
	b_bcount = B->bi_iter.bi_size;
	b_addr = 0;
	b_lblkno = B->bi_iter.bi_sector;
	b_blkno = B->bi_iter.bi_sector;
	b_resid = 0;
	b_bufsize = B->bi_iter.bi_size;
	b_iodone = (char *)B->bi_end_io;
	b_error = __blk_errno[B->bi_status];
	b_edev = __bio_dev[B];
};

/*
 * At the end: a driver that splits a bio (striped volumes) leaves in it what was last.  So size and place are kept from
 * the start, for devices that work on bios; what began before is described by what is left.
 */
typedef struct __bio_done {
	int dummy;
} __bio_done_t;

inline int __bio_plain[struct bio *B] =
	!__bio_none[B] && __bio_disk[B]->queue->mq_ops == NULL;
inline struct bio *__bio_of[__bio_done_t *X] = (struct bio *)X;
inline size_t __bio_bytes[struct bio *B] =
	__bio_plain[B] ? __noted((uintptr_t)B, 0, B->bi_iter.bi_size) : B->bi_iter.bi_size;
inline uint64_t __bio_place[struct bio *B] =
	__bio_plain[B] ? __noted((uintptr_t)B, 1, B->bi_iter.bi_sector) : B->bi_iter.bi_sector;

translator bufinfo_t < __bio_done_t *X > {
	b_flags = (__bio_of[X]->bi_opf & 1 ? 0x100 : 0x40) | (__bio_of[X]->bi_opf & 0x800 ? 0 : 0x400) | 0x20 |
		(__bio_of[X]->bi_status != 0 ? 0x04 : 0);
	b_bcount = __bio_bytes[__bio_of[X]];
	b_addr = 0;
	b_lblkno = __bio_place[__bio_of[X]];
	b_blkno = __bio_place[__bio_of[X]];
	b_resid = 0;
	b_bufsize = __bio_bytes[__bio_of[X]];
	b_iodone = (char *)__bio_of[X]->bi_end_io;
	b_error = __blk_errno[__bio_of[X]->bi_status];
	b_edev = __bio_dev[__bio_of[X]];
};

translator devinfo_t < struct bio *B > {
	dev_major = __bio_dev[B] >> 20;
	dev_minor = __bio_dev[B] & 0xfffff;
	dev_instance = 0;
	dev_name = __bio_none[B] ? "nfs" : stringof(__bio_disk[B]->disk_name);
	dev_statname = __bio_none[B] ? "nfs" : __part_name[__bio_disk[B], __bio_part[B]];
	dev_pathname = __bio_none[B] ? "<nfs>" : "<unknown>";
};

translator fileinfo_t < struct bio *B > {
	fi_name = "<none>";
	fi_dirname = "<none>";
	fi_pathname = "<none>";
	fi_offset = 0;
	fi_fs = "<none>";
	fi_mount = "<none>";
	fi_oflags = 0;
};

/* A request, at its end: one or more bios that were merged.  It is described by the first one. */
translator bufinfo_t < struct request *R > {
	b_flags = (R->cmd_flags & 1 ? 0x100 : 0x40) | (R->cmd_flags & 0x800 ? 0 : 0x400) | 0x20;
	b_bcount = R->__data_len;
	b_addr = 0;
	b_lblkno = R->__sector;
	b_blkno = R->__sector;
	b_resid = 0;
	b_bufsize = R->__data_len;
	b_iodone = (char *)R->bio->bi_end_io;
	b_error = 0;
	b_edev = __bio_dev[R->bio];
};

/* In io:::done: arg0 is the first bio of the request, as at io:::start; args[3] is the error, args[4] the request. */
typedef struct __done {
	int dummy;
} __done_t;

inline bufinfo_t *__done_buf[struct request *R] = xlate <bufinfo_t *>(R);

translator bufinfo_t < __done_t *X > {
	b_flags = __done_buf[args[4]]->b_flags | (args[3] != 0 ? 0x04 : 0);
	b_bcount = __done_buf[args[4]]->b_bcount;
	b_addr = 0;
	b_lblkno = __done_buf[args[4]]->b_lblkno;
	b_blkno = __done_buf[args[4]]->b_blkno;
	b_resid = 0;
	b_bufsize = __done_buf[args[4]]->b_bufsize;
	b_iodone = __done_buf[args[4]]->b_iodone;
	b_error = args[3];
	b_edev = __done_buf[args[4]]->b_edev;
};

translator bufinfo_t < struct buffer_head *B > {
	b_flags = 0;
	b_bcount = B->b_size;
	b_addr = B->b_data;
	b_lblkno = B->b_blocknr;
	b_blkno = B->b_blocknr;
	b_resid = 0;
	b_bufsize = B->b_size;
	b_iodone = (char *)B->b_end_io;
	b_error = 0;
	b_edev = B->b_bdev == NULL ? 0 : B->b_bdev->bd_dev;
};

translator devinfo_t < struct buffer_head *B > {
	dev_major = B->b_bdev == NULL ? 0 : B->b_bdev->bd_dev >> 20;
	dev_minor = B->b_bdev == NULL ? 0 : B->b_bdev->bd_dev & 0xfffff;
	dev_instance = 0;
	dev_name = B->b_bdev == NULL ? "nfs" : stringof(B->b_bdev->bd_disk->disk_name);
	dev_statname = B->b_bdev == NULL ? "nfs" : __part_name[B->b_bdev->bd_disk, __bdev_part[B->b_bdev]];
	dev_pathname = "<unknown>";
};

/* A buffer of XFS that is waited for. */
translator bufinfo_t < struct xfs_buf *B > {
	b_flags = (B->b_flags & 2 ? 0x100 : 0x40) | (B->b_flags & 0x10 ? 0x400 : 0) | 0x20 |
		(B->b_error != 0 ? 0x04 : 0);
	b_bcount = B->b_length << 9;
	b_addr = (char *)B->b_addr;
	b_lblkno = B->b_maps->bm_bn;
	b_blkno = B->b_maps->bm_bn;
	b_resid = 0;
	b_bufsize = B->b_length << 9;
	b_iodone = __has_member(struct xfs_buf, b_iodone) ? (char *)B->b_iodone : NULL;
	b_error = -B->b_error;
	b_edev = B->b_target->bt_bdev->bd_dev;
};

translator devinfo_t < struct xfs_buf *B > {
	dev_major = B->b_target->bt_bdev->bd_dev >> 20;
	dev_minor = B->b_target->bt_bdev->bd_dev & 0xfffff;
	dev_instance = 0;
	dev_name = stringof(B->b_target->bt_bdev->bd_disk->disk_name);
	dev_statname = __part_name[B->b_target->bt_bdev->bd_disk, __bdev_part[B->b_target->bt_bdev]];
	dev_pathname = "<unknown>";
};

translator fileinfo_t < struct xfs_buf *B > {
	fi_name = "<none>";
	fi_dirname = "<none>";
	fi_pathname = "<none>";
	fi_offset = 0;
	fi_fs = "<none>";
	fi_mount = "<none>";
	fi_oflags = 0;
};

/*
 * Reads and writes of files over NFS, at the client: hdr is what the kernel calls the header of the calls for some pages.
 * There is no device; the place is that in the file, in sectors.
 */
typedef struct __nfs {
	int dummy;
} __nfs_t;

inline struct nfs_pgio_header *__nfs_hdr[__nfs_t *X] = (struct nfs_pgio_header *)X;

translator bufinfo_t < __nfs_t *X > {
	b_flags = (args[3] ? 0x100 : 0x40) | 0x400 | 0x20 | (__nfs_hdr[X]->error != 0 ? 0x04 : 0);
	b_bcount = __nfs_hdr[X]->args.count;
	b_addr = 0;
	b_lblkno = __nfs_hdr[X]->args.offset >> 9;
	b_blkno = __nfs_hdr[X]->args.offset >> 9;
	b_resid = 0;
	b_bufsize = __nfs_hdr[X]->args.count;
	b_iodone = 0;
	b_error = -__nfs_hdr[X]->error;
	b_edev = 0;
};

translator devinfo_t < __nfs_t *X > {
	dev_major = 0;
	dev_minor = 0;
	dev_instance = 0;
	dev_name = "nfs";
	dev_statname = "nfs";
	dev_pathname = "<nfs>";
};

translator fileinfo_t < __nfs_t *X > {
	fi_name = "<none>";
	fi_dirname = "<none>";
	fi_pathname = "<none>";
	fi_offset = __nfs_hdr[X]->args.offset;
	fi_fs = "nfs";
	fi_mount = "<unknown>";
	fi_oflags = 0;
};

/* Pipes have no name; what is in no folder has the path that /proc/PID/fd shows. */
translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : F->f_path.dentry->d_name.len == 0 ? d_path(&F->f_path) :
		stringof(F->f_path.dentry->d_name.name);
	fi_dirname = F == NULL ? "<none>" : dirname(d_path(&F->f_path));
	fi_pathname = F == NULL ? "<none>" : d_path(&F->f_path);
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_fs = F == NULL ? "<none>" : stringof(F->f_inode->i_sb->s_type->name);
	fi_mount = F == NULL ? "<none>" : "<unknown>";
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

inline struct file *__fd_file[int fd] =
	fd >= 0 && fd < curthread->files->fdt->max_fds ? curthread->files->fdt->fd[fd] : NULL;
inline fileinfo_t fds[int fd] = xlate <fileinfo_t>(__fd_file[fd]);
