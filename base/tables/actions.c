/* SPDX-License-Identifier: BSD-2-Clause */
/* actions.c - actions.def as a table: how an action is shown, and what it is like. */
#include <dtx/image.h>
#include <dtx/value.h>

static const struct action_like {
	const char *name;
	enum item_kind kind;
	u32 flags;
} likes[] = {
#define ACTION(name, item, show, act, flags) { #name, ITEM_##item, flags },
#include <dtx/tables/actions.def>
#undef ACTION
};

static const struct action_like *action_like(const char *name)
{
	static const struct action_like none = { "", ITEM_NONE, 0 };

	for (u32 i = 0; name && i < ARRAY_SIZE(likes); i++)
		if (!strcmp(likes[i].name, name))
			return &likes[i];
	return &none;
}

enum item_kind action_kind(const char *name)
{
	return action_like(name)->kind;
}

bool action_has(const struct img_action *act, u32 flags)
{
	return action_like(act->name)->flags & flags;
}

bool img_does(const struct img *img, u32 flags)
{
	for (u32 i = 0; i < img->nsites; i++)
		for (u32 k = 0; k < img->sites[i].nactions; k++)
			if (action_has(&img->sites[i].actions[k], flags))
				return true;
	return false;
}
