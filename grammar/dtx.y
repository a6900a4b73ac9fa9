/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtx.y - the grammar of D: C's expressions and declarations inside probe clauses.
 *
 * Every action is one constructor call (compiler/front/parse.h).  The lexer knows which
 * names are types, as in every C parser.  After a syntax error the lexer skips to the
 * end of the clause or declaration and returns RESYNC.
 */
%define api.pure full
%define api.prefix {dtx_yy}
%define api.value.type union
%define api.location.type {struct range}
%define api.token.prefix {}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param { struct lexer *lx }

%code requires {
#include "compiler/front/parse.h"
}

%code {
/* Deeper than any expression the passes accept. */
#define YYMAXDEPTH 20000

/* An empty right side has no text: it must not extend the range of its parent. */
#define YYLLOC_DEFAULT(cur, rhs, n) ((cur) = loc_join(rhs, n))
#define YYLOCATION_PRINT(...) ((void)0)

static struct range loc_join(const struct range *rhs, int n)
{
	struct range at = { rhs[0].src, rhs[0].to, rhs[0].to };
	bool any = false;

	for (int i = 1; i <= n; i++) {
		if (rhs[i].from == rhs[i].to)
			continue;
		at = any ? range_join(at, rhs[i]) : rhs[i];
		any = true;
	}
	return at;
}

int dtx_yylex(DTX_YYSTYPE *, struct range *, struct lexer *);
static void dtx_yyerror(struct range *, struct lexer *, const char *);
}

%token TOK_EOF 0 "end of the program"
%token <const char *> TOK_SPEC "probe description" TOK_IDENT "name" TOK_TYPE "type name"
%token <const char *> TOK_AGG "aggregation"
%token <struct node *> TOK_INT "number" TOK_STRING "string"
%token TOK_PRED "'/' before a predicate" TOK_EPRED "'/' after the predicate"
%token TOK_RESYNC TOK_RESERVED "reserved word"
%token TOK_ARROW "'->'" TOK_INC "'++'" TOK_DEC "'--'" TOK_SHL "'<<'" TOK_SHR "'>>'"
%token TOK_LE "'<='" TOK_GE "'>='" TOK_EQ "'=='" TOK_NE "'!='" TOK_ELLIPSIS "'...'"
%token TOK_ANDAND "'&&'" TOK_OROR "'||'" TOK_XORXOR "'^^'"
%token TOK_ADD_EQ "'+='" TOK_SUB_EQ "'-='" TOK_MUL_EQ "'*='" TOK_DIV_EQ "'/='"
%token TOK_MOD_EQ "'%='" TOK_AND_EQ "'&='" TOK_OR_EQ "'|='" TOK_XOR_EQ "'^='"
%token TOK_SHL_EQ "'<<='" TOK_SHR_EQ "'>>='"
%token TOK_AUTO "'auto'" TOK_REGISTER "'register'" TOK_STATIC "'static'" TOK_EXTERN "'extern'"
%token TOK_TYPEDEF "'typedef'" TOK_SELF "'self'" TOK_THIS "'this'" TOK_INLINE "'inline'"
%token TOK_CONST "'const'" TOK_VOLATILE "'volatile'" TOK_RESTRICT "'restrict'"
%token TOK_USERLAND "'userland'"
%token TOK_VOID "'void'" TOK_CHAR "'char'" TOK_SHORT "'short'" TOK_INTW "'int'"
%token TOK_LONG "'long'" TOK_FLOAT "'float'" TOK_DOUBLE "'double'" TOK_SIGNED "'signed'"
%token TOK_UNSIGNED "'unsigned'" TOK_STRINGW "'string'" TOK_BOOL "'_Bool'"
%token TOK_INT128 "'__int128'"
%token TOK_STRUCT "'struct'" TOK_UNION "'union'" TOK_ENUM "'enum'"
%token TOK_TRANSLATOR "'translator'" TOK_PROVIDER "'provider'" TOK_PROBE "'probe'"
%token TOK_SIZEOF "'sizeof'" TOK_STRINGOF "'stringof'" TOK_OFFSETOF "'offsetof'"
%token TOK_HAS_MEMBER "'__has_member'" TOK_XLATE "'xlate'" TOK_IF "'if'" TOK_ELSE "'else'"
%token TOK_LIKE "'=~'" TOK_UNLIKE "'!~'"
%token TOK_FOR "'for'" TOK_WHILE "'while'" TOK_BREAK "'break'" TOK_CONTINUE "'continue'"
%token TOK_LEAVE "'return'"

%nterm <struct pdescs> specs
%nterm <struct pdescs> spec
%nterm <struct nodes> body stmts arm arguments
%nterm <struct node *> expr assign cond oror xorxor andand or xor and equality relation shift
%nterm <struct node *> pattern sum product cast unary postfix primary stmt last turn jump
%nterm <const char *> place
%nterm <int> assign_op unary_op storage su
%nterm <u32> pointer basic
%nterm <struct type *> type_name tagged enum_body
%nterm <struct su *> su_body
%nterm <struct declspec *> decl_specs spec_quals
%nterm <struct declr *> declarator direct abstract direct_abstract member
%nterm <struct declrs> declarators members
%nterm <struct params> params param_list named_params param
%nterm <struct dims> dims
%nterm <struct translator *> xlate_body
%nterm <struct provdef *> prov_body
%nterm <struct provdef_probe *> prov_probe

/* Only for the dangling else. */
%precedence TOK_IF
%precedence TOK_ELSE

%%

program
	: %empty
	| program external
	;

external
	: clause
	| declaration
	| inline
	| translator
	| provider
	| error TOK_RESYNC  { yyerrok; }
	;

/* ---- clauses ---- */

clause
	: specs                        { clause_bare(lx, $1, @$); }
	| specs body                   { clause_add(lx, $1, NULL, &$2, @$); }
	| specs TOK_PRED expr TOK_EPRED body  { clause_add(lx, $1, $3, &$5, @$); }
	| specs TOK_PRED expr TOK_EPRED       { clause_no_body(lx, @3); }
	;

specs
	: spec
	| specs ',' spec               { $$ = pdesc_join($1, $3); }
	;

spec
	: TOK_SPEC                     { $$ = pdesc_one(lx, $1, @1); }
	| TOK_INT                      { $$ = pdesc_one(lx, NULL, @1); }
	;

body
	: '{' stmts '}'                { $$ = $2; }
	| '{' stmts last '}'           { $$ = ast_append($2, $3); }
	;

stmts
	: %empty                       { $$ = ast_one(NULL); }
	| stmts ';'
	| stmts stmt                   { $$ = ast_append($1, $2); }
	;

stmt
	: expr ';'                     { $$ = ast_stmt(lx, $1); }
	| TOK_IF '(' expr ')' arm %prec TOK_IF  { $$ = ast_if(lx, $3, $5, ast_one(NULL), @$); }
	| TOK_IF '(' expr ')' arm TOK_ELSE arm  { $$ = ast_if(lx, $3, $5, $7, @$); }
	| TOK_WHILE '(' expr ')' arm   { $$ = ast_loop(lx, NULL, $3, NULL, $5, @$); }
	| TOK_FOR '(' turn ';' turn ';' turn ')' arm
	                               { $$ = ast_loop(lx, $3, $5, $7, $9, @$); }
	| jump ';'
	;

turn
	: %empty                       { $$ = NULL; }
	| expr
	;

jump
	: TOK_BREAK                    { $$ = ast_jump(lx, 'b', @$); }
	| TOK_CONTINUE                 { $$ = ast_jump(lx, 'c', @$); }
	| TOK_LEAVE                    { $$ = ast_jump(lx, 'r', @$); }
	;

arm
	: body
	| ';'                          { $$ = ast_one(NULL); }
	| stmt                         { $$ = ast_one($1); }
	;

/* The last statement of a body needs no semicolon. */
last
	: expr                         { $$ = ast_stmt(lx, $1); }
	| jump
	| TOK_WHILE '(' expr ')' last  { $$ = ast_loop(lx, NULL, $3, NULL, ast_one($5), @$); }
	| TOK_FOR '(' turn ';' turn ';' turn ')' last
	                               { $$ = ast_loop(lx, $3, $5, $7, ast_one($9), @$); }
	| TOK_IF '(' expr ')' last     { $$ = ast_if(lx, $3, ast_one($5), ast_one(NULL), @$); }
	| TOK_IF '(' expr ')' arm TOK_ELSE last  { $$ = ast_if(lx, $3, $5, ast_one($7), @$); }
	;

/* ---- expressions ---- */

expr
	: assign
	| expr ',' assign              { $$ = ast_comma(lx, $1, $3, @2); }
	;

assign
	: cond
	| unary assign_op assign       { $$ = ast_assign(lx, $2, $1, $3, @2); }
	;

assign_op
	: '='                          { $$ = '='; }
	| TOK_ADD_EQ                   { $$ = '+'; }
	| TOK_SUB_EQ                   { $$ = '-'; }
	| TOK_MUL_EQ                   { $$ = '*'; }
	| TOK_DIV_EQ                   { $$ = '/'; }
	| TOK_MOD_EQ                   { $$ = '%'; }
	| TOK_AND_EQ                   { $$ = '&'; }
	| TOK_OR_EQ                    { $$ = '|'; }
	| TOK_XOR_EQ                   { $$ = '^'; }
	| TOK_SHL_EQ                   { $$ = OP_SHL; }
	| TOK_SHR_EQ                   { $$ = OP_SHR; }
	;

cond
	: oror
	| oror '?' expr ':' cond       { $$ = ast_cond(lx, $1, $3, $5, @2); }
	| oror '?' ':' cond            { $$ = ast_cond(lx, $1, node_copy(lx->comp, $1), $4, @2); }
	;

oror
	: xorxor
	| oror TOK_OROR xorxor         { $$ = ast_binary(lx, OP_OROR, $1, $3, @2); }
	;

xorxor
	: andand
	| xorxor TOK_XORXOR andand     { $$ = ast_binary(lx, OP_XORXOR, $1, $3, @2); }
	;

andand
	: or
	| andand TOK_ANDAND or         { $$ = ast_binary(lx, OP_ANDAND, $1, $3, @2); }
	;

or
	: xor
	| or '|' xor                   { $$ = ast_binary(lx, '|', $1, $3, @2); }
	;

xor
	: and
	| xor '^' and                  { $$ = ast_binary(lx, '^', $1, $3, @2); }
	;

and
	: equality
	| and '&' equality             { $$ = ast_binary(lx, '&', $1, $3, @2); }
	;

equality
	: relation
	| equality TOK_EQ relation     { $$ = ast_binary(lx, OP_EQ, $1, $3, @2); }
	| equality TOK_NE relation     { $$ = ast_binary(lx, OP_NE, $1, $3, @2); }
	| equality TOK_LIKE pattern    { $$ = ast_binary(lx, OP_LIKE, $1, $3, @2); }
	| equality TOK_UNLIKE pattern  { $$ = ast_binary(lx, OP_UNLIKE, $1, $3, @2); }
	;

pattern
	: TOK_STRING
	| TOK_IDENT                    { $$ = ast_ident(lx, $1, SCOPE_PLAIN, @$); }
	;

relation
	: shift
	| relation '<' shift           { $$ = ast_binary(lx, '<', $1, $3, @2); }
	| relation '>' shift           { $$ = ast_binary(lx, '>', $1, $3, @2); }
	| relation TOK_LE shift        { $$ = ast_binary(lx, OP_LE, $1, $3, @2); }
	| relation TOK_GE shift        { $$ = ast_binary(lx, OP_GE, $1, $3, @2); }
	;

shift
	: sum
	| shift TOK_SHL sum            { $$ = ast_binary(lx, OP_SHL, $1, $3, @2); }
	| shift TOK_SHR sum            { $$ = ast_binary(lx, OP_SHR, $1, $3, @2); }
	;

sum
	: product
	| sum '+' product              { $$ = ast_binary(lx, '+', $1, $3, @2); }
	| sum '-' product              { $$ = ast_binary(lx, '-', $1, $3, @2); }
	;

product
	: cast
	| product '*' cast             { $$ = ast_binary(lx, '*', $1, $3, @2); }
	| product '/' cast             { $$ = ast_binary(lx, '/', $1, $3, @2); }
	| product '%' cast             { $$ = ast_binary(lx, '%', $1, $3, @2); }
	;

cast
	: unary
	| '(' type_name ')' cast       { $$ = ast_cast(lx, $2, $4, @$); }
	;

unary
	: postfix
	| TOK_INC unary                { $$ = ast_incdec(lx, '+', true, $2, @$, @1); }
	| TOK_DEC unary                { $$ = ast_incdec(lx, '-', true, $2, @$, @1); }
	| unary_op cast                { $$ = ast_unary(lx, $1, $2, @$, @1); }
	| TOK_SIZEOF unary             { $$ = ast_sizeof(lx, NULL, $2, @$); }
	| TOK_SIZEOF '(' type_name ')' { $$ = ast_sizeof(lx, $3, NULL, @$); }
	| TOK_STRINGOF unary           { $$ = ast_stringof(lx, $2, @$); }
	;

unary_op
	: '&'                          { $$ = '&'; }
	| '*'                          { $$ = '*'; }
	| '+'                          { $$ = '+'; }
	| '-'                          { $$ = '-'; }
	| '~'                          { $$ = '~'; }
	| '!'                          { $$ = '!'; }
	;

postfix
	: primary
	| postfix '[' arguments ']'    { $$ = ast_index(lx, $1, $3, @$, @2); }
	| postfix '(' ')'              { $$ = ast_call(lx, $1, ast_one(NULL), @$); }
	| postfix '(' arguments ')'    { $$ = ast_call(lx, $1, $3, @$); }
	| postfix '.' TOK_IDENT      { $$ = ast_member(lx, '.', $1, $3, @$, @3); }
	| postfix TOK_ARROW TOK_IDENT  { $$ = ast_member(lx, OP_ARROW, $1, $3, @$, @3); }
	| postfix TOK_INC              { $$ = ast_incdec(lx, '+', false, $1, @$, @2); }
	| postfix TOK_DEC              { $$ = ast_incdec(lx, '-', false, $1, @$, @2); }
	| TOK_OFFSETOF '(' type_name ',' place ')'
	                               { $$ = ast_offsetof(lx, $3, $5, @$, @5); }
	| TOK_HAS_MEMBER '(' type_name ',' TOK_IDENT ')'
	                               { $$ = ast_has_member(lx, $3, $5, @$); }
	| TOK_XLATE '<' type_name '>' '(' expr ')'  { $$ = ast_xlate(lx, $3, $6, @$); }
	;

place
	: TOK_IDENT
	| place '.' TOK_IDENT          { $$ = ast_place_member(lx, $1, $3); }
	| place '[' cond ']'           { $$ = ast_place_element(lx, $1, $3); }
	;

primary
	: TOK_IDENT                    { $$ = ast_ident(lx, $1, SCOPE_PLAIN, @$); }
	| TOK_SELF TOK_ARROW TOK_IDENT  { $$ = ast_ident(lx, $3, SCOPE_SELF, @$); }
	| TOK_THIS TOK_ARROW TOK_IDENT  { $$ = ast_ident(lx, $3, SCOPE_THIS, @$); }
	| TOK_AGG                      { $$ = ast_agg(lx, $1, @$); }
	| TOK_INT
	| TOK_STRING
	| '(' expr ')'                 { $$ = ast_paren($2, @$); }
	;

arguments
	: assign                       { $$ = ast_one($1); }
	| arguments ',' assign         { $$ = ast_append($1, $3); }
	;

/* ---- declarations ---- */

declaration
	: decl_specs ';'               { decl_declare(lx, $1, (struct declrs){ 0 }, @1); }
	| decl_specs declarators ';'   { decl_declare(lx, $1, $2, @1); }
	;

declarators
	: declarator                   { $$ = declrs_append((struct declrs){ 0 }, $1); }
	| declarators ',' declarator   { $$ = declrs_append($1, $3); }
	;

decl_specs
	: storage                      { $$ = spec_storage(lx, NULL, $1, @1); }
	| basic                        { $$ = spec_basic(lx, NULL, $1, @1); }
	| tagged                       { $$ = spec_type(lx, NULL, $1, true, @1); }
	| TOK_TYPE  { $$ = spec_type(lx, NULL, decl_named(lx, $1, @1), false, @1); }
	| qualifier                    { $$ = spec_qualifier(lx, NULL, @1); }
	| TOK_USERLAND                 { $$ = spec_userland(lx, NULL, @1); }
	| decl_specs storage           { $$ = spec_storage(lx, $1, $2, @2); }
	| decl_specs basic             { $$ = spec_basic(lx, $1, $2, @2); }
	| decl_specs tagged            { $$ = spec_type(lx, $1, $2, true, @2); }
	| decl_specs TOK_TYPE  { $$ = spec_type(lx, $1, decl_named(lx, $2, @2), false, @2); }
	| decl_specs qualifier         { $$ = spec_qualifier(lx, $1, @2); }
	| decl_specs TOK_USERLAND      { $$ = spec_userland(lx, $1, @2); }
	;

/* As decl_specs without storage classes. */
spec_quals
	: basic                        { $$ = spec_basic(lx, NULL, $1, @1); }
	| tagged                       { $$ = spec_type(lx, NULL, $1, true, @1); }
	| TOK_TYPE  { $$ = spec_type(lx, NULL, decl_named(lx, $1, @1), false, @1); }
	| qualifier                    { $$ = spec_qualifier(lx, NULL, @1); }
	| TOK_USERLAND                 { $$ = spec_userland(lx, NULL, @1); }
	| spec_quals basic             { $$ = spec_basic(lx, $1, $2, @2); }
	| spec_quals tagged            { $$ = spec_type(lx, $1, $2, true, @2); }
	| spec_quals TOK_TYPE  { $$ = spec_type(lx, $1, decl_named(lx, $2, @2), false, @2); }
	| spec_quals qualifier         { $$ = spec_qualifier(lx, $1, @2); }
	| spec_quals TOK_USERLAND      { $$ = spec_userland(lx, $1, @2); }
	;

storage
	: TOK_AUTO                     { $$ = TOK_AUTO; }
	| TOK_REGISTER                 { $$ = TOK_REGISTER; }
	| TOK_STATIC                   { $$ = TOK_STATIC; }
	| TOK_EXTERN                   { $$ = TOK_EXTERN; }
	| TOK_TYPEDEF                  { $$ = TOK_TYPEDEF; }
	| TOK_SELF                     { $$ = TOK_SELF; }
	| TOK_THIS                     { $$ = TOK_THIS; }
	;

basic
	: TOK_VOID                     { $$ = B_VOID; }
	| TOK_CHAR                     { $$ = B_CHAR; }
	| TOK_SHORT                    { $$ = B_SHORT; }
	| TOK_INTW                     { $$ = B_INT; }
	| TOK_LONG                     { $$ = B_LONG; }
	| TOK_FLOAT                    { $$ = B_FLOAT; }
	| TOK_DOUBLE                   { $$ = B_DOUBLE; }
	| TOK_SIGNED                   { $$ = B_SIGNED; }
	| TOK_UNSIGNED                 { $$ = B_UNSIGNED; }
	| TOK_STRINGW                  { $$ = B_STRING; }
	| TOK_BOOL                     { $$ = B_BOOL; }
	| TOK_INT128                   { $$ = B_INT128; }
	;

qualifier
	: TOK_CONST
	| TOK_VOLATILE
	| TOK_RESTRICT
	;

tagged
	: su TOK_IDENT                 { $$ = su_tag(lx, $1, $2, @$); }
	| su_body '}'                  { $$ = su_end(lx, $1, @2); }
	| TOK_ENUM TOK_IDENT           { $$ = su_tag(lx, TOK_ENUM, $2, @$); }
	| enum_body '}'                { $$ = enum_end(lx, $1, @2); }
	;

su
	: TOK_STRUCT                   { $$ = TOK_STRUCT; }
	| TOK_UNION                    { $$ = TOK_UNION; }
	;

su_body
	: su '{'                       { $$ = su_begin(lx, $1, @1, NULL, @1); }
	| su TOK_IDENT '{'             { $$ = su_begin(lx, $1, @1, $2, @2); }
	| su_body spec_quals members ';'  { $$ = su_member(lx, $1, $2, $3); }
	| su_body spec_quals ';'       { $$ = su_member(lx, $1, $2, (struct declrs){ 0 }); }
	;

members
	: member                       { $$ = declrs_append((struct declrs){ 0 }, $1); }
	| members ',' member           { $$ = declrs_append($1, $3); }
	;

member
	: declarator
	| ':' cond                     { $$ = declr_bits(declr_new(lx, NULL, @$), $2); }
	| declarator ':' cond          { $$ = declr_bits($1, $3); }
	;

enum_body
	: TOK_ENUM '{' TOK_IDENT  { $$ = enum_item(lx, enum_begin(lx, NULL, @1), $3, NULL, @3); }
	| TOK_ENUM '{' TOK_IDENT '=' cond
	                               { $$ = enum_item(lx, enum_begin(lx, NULL, @1), $3, $5, @3); }
	| TOK_ENUM TOK_IDENT '{' TOK_IDENT
	                               { $$ = enum_item(lx, enum_begin(lx, $2, @2), $4, NULL, @4); }
	| TOK_ENUM TOK_IDENT '{' TOK_IDENT '=' cond
	                               { $$ = enum_item(lx, enum_begin(lx, $2, @2), $4, $6, @4); }
	| enum_body ',' TOK_IDENT      { $$ = enum_item(lx, $1, $3, NULL, @3); }
	| enum_body ',' TOK_IDENT '=' cond  { $$ = enum_item(lx, $1, $3, $5, @3); }
	;

declarator
	: direct
	| pointer direct               { $$ = declr_ptr(lx, $2, $1, @1); }
	;

pointer
	: '*'                          { $$ = 1; }
	| pointer '*'                  { $$ = $1 + 1; }
	| pointer qualifier
	;

direct
	: TOK_IDENT                    { $$ = declr_new(lx, $1, @$); }
	| '(' declarator ')'           { $$ = $2; }
	| direct '[' dims ']'          { $$ = declr_array(lx, $1, $3, @$); }
	| direct '(' params ')'        { $$ = declr_func(lx, $1, $3, @$); }
	;

abstract
	: pointer                      { $$ = declr_ptr(lx, declr_new(lx, NULL, @$), $1, @1); }
	| direct_abstract
	| pointer direct_abstract      { $$ = declr_ptr(lx, $2, $1, @1); }
	;

direct_abstract
	: '(' abstract ')'             { $$ = $2; }
	| '[' dims ']'                 { $$ = declr_array(lx, declr_new(lx, NULL, @$), $2, @$); }
	| direct_abstract '[' dims ']' { $$ = declr_array(lx, $1, $3, @$); }
	| '(' params ')'               { $$ = declr_func(lx, declr_new(lx, NULL, @$), $2, @$); }
	| direct_abstract '(' params ')'  { $$ = declr_func(lx, $1, $3, @$); }
	;

dims
	: %empty                       { $$ = (struct dims){ 0 }; }
	| cond                         { $$ = (struct dims){ .count = $1 }; }
	| param_list                   { $$ = (struct dims){ .params = $1, .is_assoc = true }; }
	;

params
	: %empty                       { $$ = (struct params){ 0 }; }
	| param_list
	;

param_list
	: named_params
	| TOK_ELLIPSIS                 { $$ = params_variadic((struct params){ 0 }); }
	| named_params ',' TOK_ELLIPSIS  { $$ = params_variadic($1); }
	;

named_params
	: param
	| named_params ',' param       { $$ = params_join($1, $3); }
	;

param
	: decl_specs                   { $$ = params_one(lx, $1, NULL, @$); }
	| decl_specs declarator        { $$ = params_one(lx, $1, $2, @$); }
	| decl_specs abstract          { $$ = params_one(lx, $1, $2, @$); }
	;

type_name
	: spec_quals                   { $$ = decl_type_name(lx, $1, NULL); }
	| spec_quals abstract          { $$ = decl_type_name(lx, $1, $2); }
	;

/* ---- inlines, translators, providers ---- */

inline
	: TOK_INLINE decl_specs declarator '=' assign ';'  { decl_inline(lx, $2, $3, $5, @3); }
	;

translator
	: xlate_body '}' ';'           { translator_end(lx, $1); }
	;

xlate_body
	: TOK_TRANSLATOR type_name '<' type_name TOK_IDENT '>' '{'
	                               { $$ = translator_begin(lx, $2, $4, $5, @$); }
	| xlate_body TOK_IDENT '=' assign ';'  { $$ = translator_member(lx, $1, $2, $4, @2); }
	;

provider
	: prov_body '}' ';'            { provdef_end(lx, $1); }
	;

prov_body
	: TOK_PROVIDER TOK_IDENT '{'   { $$ = provdef_begin(lx, $2, @2); }
	| prov_body prov_probe         { $$ = provdef_probe(lx, $1, $2); }
	;

prov_probe
	: TOK_PROBE TOK_IDENT '(' params ')' ';'  { $$ = provdef_proto(lx, $2, $4, NULL, @2); }
	| TOK_PROBE TOK_IDENT '(' params ')' ':' '(' params ')' ';'
	                               { $$ = provdef_proto(lx, $2, $4, &$8, @2); }
	;

%%

static int yyreport_syntax_error(const yypcontext_t *ctx, struct lexer *lx)
{
	yysymbol_kind_t kinds[YYNTOKENS];
	const char *names[YYNTOKENS];
	int n = yypcontext_expected_tokens(ctx, kinds, YYNTOKENS);
	int named = 0;

	for (int i = 0; i < n; i++)
		if (kinds[i] != YYSYMBOL_TOK_RESYNC && kinds[i] != YYSYMBOL_YYerror)
			names[named++] = yysymbol_name(kinds[i]);
	parse_syntax_error(lx, *yypcontext_location(ctx), names, named);
	return 0;
}

/* Only "memory exhausted" remains: the parser's stack is full. */
static void dtx_yyerror(struct range *at, struct lexer *lx, const char *msg)
{
	parse_too_deep(lx, *at);
}
