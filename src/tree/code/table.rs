//! The languages, each a row of facts. Keywords are those of the languages' own references, as of 2025. Scans nothing.

use super::{
    families::{
        BRACES, DOUBLE, HASH, LONG_DOUBLE, NONE, SINGLE, SLASH, TICK, TRIPLE, TRIPLE_SINGLE,
        VERBATIM,
    },
    languages::{Language, Quote, ScanMode, quote},
};

const JAVASCRIPT: &str = "abstract any as async await break case catch class const continue debugger declare default \
    delete do else enum export extends finally for from function get if implements import in \
    infer instanceof interface is keyof let namespace new of override package private protected \
    public readonly return satisfies set static super switch this throw try type typeof unique \
    var void while with yield";
const C: &str = "alignas alignof auto bool break case char const constexpr continue default do double else \
    enum extern float for goto if inline int long register restrict return short signed sizeof \
    static static_assert struct switch typedef typeof union unsigned void volatile while \
    _Alignas _Atomic _Bool _Complex _Generic _Noreturn _Static_assert size_t ssize_t int8_t \
    int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t";
const SHELL: &str = "if then else elif fi for while until do done case esac in function select time return exit \
    break continue local export readonly declare typeset unset shift source alias eval exec set \
    trap echo printf read cd test let";

/// All languages.
pub(super) static ALL: &[Language] = &[
    Language {
        names: &["rust", "rs"],
        keywords: "as async await break const continue crate dyn else enum extern fn for gen if impl in let \
            loop macro_rules match mod move mut pub ref return self Self static struct super trait type \
            union unsafe use where while yield bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 \
            u32 u64 u128 usize",
        constants: "true false None Some Ok Err",
        quotes: &[LONG_DOUBLE],
        prefixes: true,
        types: true,
        lifetimes: true,
        macros: true,
        attributes: true,
        ..BRACES
    },
    Language {
        names: &[
            "python", "py", "python3", "python2", "ipython", "ipython3", "ipython2", "py3",
            "pycon", "sage", "starlark", "bazel",
        ],
        keywords: "and as assert async await break case class continue def del elif else except finally for \
            from global if import in is lambda match nonlocal not or pass raise return try while with \
            yield",
        constants: "True False None self cls NotImplemented Ellipsis __name__",
        quotes: &[TRIPLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
        prefixes: true,
        decorators: true,
        ..HASH
    },
    Language {
        names: &[
            "javascript",
            "js",
            "jsx",
            "mjs",
            "cjs",
            "node",
            "typescript",
            "ts",
            "tsx",
            "mts",
            "ecmascript",
        ],
        keywords: JAVASCRIPT,
        constants: "true false null undefined NaN Infinity",
        quotes: &[DOUBLE, SINGLE, TICK],
        letters: "$",
        types: true,
        decorators: true,
        expressions: true,
        ..BRACES
    },
    Language {
        names: &[
            "json",
            "json5",
            "jsonc",
            "jsonl",
            "ndjson",
            "geojson",
            "json-ld",
            "jsonld",
            "webmanifest",
        ],
        keys: true,
        ..BRACES
    },
    Language {
        names: &["bash", "sh", "shell", "zsh", "ksh", "dash", "ash", "fish"],
        keywords: SHELL,
        constants: "true false",
        quotes: &[LONG_DOUBLE, quote("'", None, true)],
        letters: "-",
        heredocs: true,
        dollars: true,
        ..HASH
    },
    Language {
        names: &[
            "console",
            "shell-session",
            "shellsession",
            "sh-session",
            "terminal",
            "bash-session",
        ],
        way: ScanMode::Console,
        ..NONE
    },
    Language {
        names: &[
            "c",
            "h",
            "objective-c",
            "objectivec",
            "objc",
            "opencl",
            "glsl",
            "hlsl",
            "cuda",
            "arduino",
        ],
        keywords: C,
        constants: "true false NULL nullptr",
        prefixes: true,
        directives: true,
        ..BRACES
    },
    Language {
        names: &["cpp", "c++", "cc", "cxx", "hpp", "h++", "hh"],
        keywords: "alignas alignof and asm auto bool break case catch char char8_t char16_t char32_t class \
            co_await co_return co_yield concept const consteval constexpr constinit const_cast continue \
            decltype default delete do double dynamic_cast else enum explicit export extern final float \
            for friend goto if import inline int long module mutable namespace new noexcept not operator \
            or override private protected public register reinterpret_cast requires return short signed \
            sizeof static static_assert static_cast struct switch template this thread_local throw try \
            typedef typeid typename union unsigned using virtual void volatile wchar_t while size_t \
            int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t",
        constants: "true false NULL nullptr",
        prefixes: true,
        directives: true,
        ..BRACES
    },
    Language {
        names: &["java", "groovy", "gradle"],
        keywords: "abstract assert boolean break byte case catch char class const continue def default do \
            double else enum extends final finally float for goto if implements import in instanceof int \
            interface long module native new package permits private protected public record return \
            sealed short static strictfp super switch synchronized this throw throws transient try var \
            void volatile when while yield",
        quotes: &[TRIPLE, DOUBLE, SINGLE],
        types: true,
        decorators: true,
        ..BRACES
    },
    Language {
        names: &["csharp", "c#", "cs", "dotnet"],
        keywords: "abstract and as async await base bool break byte case catch char checked class const \
            continue decimal default delegate do double else enum event explicit extern file finally \
            fixed float for foreach get global goto if implicit in init int interface internal is lock \
            long nameof namespace new not object operator or out override params partial private \
            protected public readonly record ref required return sbyte sealed select set short sizeof \
            stackalloc static string struct switch this throw try typeof uint ulong unchecked unsafe \
            ushort using value var virtual void volatile when where while with yield from join group \
            orderby",
        quotes: &[VERBATIM, TRIPLE, DOUBLE, SINGLE],
        types: true,
        directives: true,
        ..BRACES
    },
    Language {
        names: &["go", "golang"],
        keywords: "any bool break byte case chan complex128 complex64 const continue default defer else error \
            fallthrough float32 float64 for func go goto if import int int16 int32 int64 int8 interface \
            map package range return rune select string struct switch type uint uint16 uint32 uint64 \
            uint8 uintptr var",
        constants: "true false nil iota",
        quotes: &[DOUBLE, SINGLE, quote("`", None, true)],
        ..BRACES
    },
    Language {
        names: &["ruby", "rb", "jruby", "rake", "gemfile", "crystal"],
        keywords: "alias and attr_accessor attr_reader attr_writer begin break case class def defined? do else \
            elsif end ensure extend for if in include loop module next not or prepend private protected \
            public raise redo require require_relative rescue retry return self super then undef unless \
            until when while yield",
        constants: "true false nil __FILE__ __LINE__",
        block_comments: &[("=begin\n", "=end")],
        quotes: &[LONG_DOUBLE, quote("'", SLASH, true), TICK],
        marks: "@$:",
        expressions: true,
        heredocs: true,
        ..HASH
    },
    Language {
        names: &["php", "php3", "php4", "php5", "php7", "php8", "phtml"],
        keywords: "abstract and array as bool break callable case catch class clone const continue declare \
            default do echo else elseif empty enum extends final finally float fn for foreach function \
            global goto if implements include include_once instanceof insteadof int interface isset list \
            match mixed namespace new or parent print private protected public readonly require \
            require_once return self static string switch throw trait try unset use var void while xor \
            yield",
        constants: "true false null TRUE FALSE NULL",
        comments: &["//", "#"],
        quotes: &[LONG_DOUBLE, quote("'", SLASH, true)],
        attributes: true,
        heredocs: true,
        dollars: true,
        ..BRACES
    },
    Language {
        names: &[
            "sql",
            "mysql",
            "postgres",
            "postgresql",
            "pgsql",
            "plpgsql",
            "plsql",
            "sqlite",
            "sqlite3",
            "tsql",
            "mariadb",
            "hql",
            "bigquery",
            "snowflake",
        ],
        keywords: "add all alter analyze and any as asc autoincrement auto_increment begin between bigint blob \
            boolean by cascade case cast char character check collate column commit conflict constraint \
            create cross current_date current_timestamp database date datetime decimal declare default \
            delete desc describe distinct double drop else end except exec execute exists explain fetch \
            first float for foreign from full function grant group having if ilike in index inner insert \
            int integer intersect interval into is join key left like limit materialized natural not \
            nothing numeric offset on or order outer over partition precision primary procedure real \
            references replace return returning returns revoke right rollback row rows schema select \
            serial set smallint table temporary text then time timestamp timestamptz to transaction \
            trigger truncate union unique update using uuid values varchar varying view when where \
            window with work",
        constants: "true false null",
        comments: &["--"],
        quotes: &[
            quote("'", None, true),
            quote("\"", None, true),
            quote("`", None, false),
        ],
        folds: true,
        ..BRACES
    },
    Language {
        names: &["kotlin", "kt", "kts"],
        keywords: "abstract actual annotation as break by catch class companion const constructor continue \
            crossinline data do dynamic else enum expect external final finally for fun get if import in \
            infix init inline inner interface internal is lateinit noinline object open operator out \
            override package private protected public reified return sealed set super suspend tailrec \
            this throw try typealias val value var vararg when where while",
        quotes: &[TRIPLE, DOUBLE, SINGLE],
        types: true,
        decorators: true,
        ..BRACES
    },
    Language {
        names: &["swift"],
        keywords: "actor any as associatedtype async await break case catch class continue convenience default \
            defer deinit didSet do dynamic else enum extension fallthrough fileprivate final for func \
            get guard if import in indirect infix init inout internal is lazy let mutating nonisolated \
            nonmutating open operator optional override postfix precedencegroup prefix private protocol \
            public repeat required rethrows return self Self set some static struct subscript super \
            switch throw throws try typealias unowned var weak where while willSet",
        constants: "true false nil",
        quotes: &[TRIPLE, DOUBLE],
        types: true,
        decorators: true,
        directives: true,
        ..BRACES
    },
    Language {
        names: &["scala", "sbt"],
        keywords: "abstract case catch class def derives do else enum export extends extension final finally \
            for forSome given if implicit import inline lazy match new object opaque open override \
            package private protected return sealed super then this throw trait transparent try type \
            using val var while with yield",
        quotes: &[TRIPLE, DOUBLE],
        types: true,
        lifetimes: true,
        decorators: true,
        ..BRACES
    },
    Language {
        names: &["dart"],
        keywords: "abstract as assert async await base bool break case catch class const continue covariant \
            default deferred do double dynamic else enum export extends extension external factory final \
            finally for get if implements import in int interface is late library mixin new num on \
            operator part required rethrow return sealed set show static super switch sync this throw \
            try typedef var void when while with yield",
        quotes: &[TRIPLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
        types: true,
        decorators: true,
        ..BRACES
    },
    Language {
        names: &["r", "rscript", "splus"],
        keywords: "break else for function if in next repeat return while library require source",
        constants: "TRUE FALSE NULL NA NaN Inf T F",
        letters: ".",
        ..HASH
    },
    Language {
        names: &["julia", "jl"],
        keywords: "abstract baremodule begin break catch const continue do else elseif end export finally for \
            function global if import in isa let local macro module mutable primitive quote return \
            struct try type using where while",
        constants: "true false nothing missing Inf NaN pi",
        block_comments: &[("#=", "=#")],
        quotes: &[TRIPLE, DOUBLE],
        lifetimes: true,
        types: true,
        ..HASH
    },
    Language {
        names: &["lua", "luau"],
        keywords: "and break do else elseif end for function goto if in local not or repeat return then until \
            while",
        constants: "true false nil self",
        comments: &["--"],
        block_comments: &[("--[[", "]]")],
        quotes: &[
            DOUBLE,
            SINGLE,
            Quote {
                open: "[[",
                close: "]]",
                escape: None,
                multiline: true,
            },
        ],
        ..NONE
    },
    Language {
        names: &["perl", "pl", "pm", "raku"],
        keywords: "and cmp continue die do each else elsif eq for foreach ge gt if last le local lt my ne next \
            no not or our package print printf push redo require return say shift sub unless until use \
            while xor",
        marks: "$@%",
        quotes: &[LONG_DOUBLE, quote("'", SLASH, true)],
        expressions: true,
        heredocs: true,
        ..HASH
    },
    Language {
        names: &["powershell", "ps1", "pwsh", "posh"],
        keywords: "begin break catch class continue data do dynamicparam else elseif end enum exit filter \
            finally for foreach from function if in param process return switch throw trap try until \
            using while",
        block_comments: &[("<#", "#>")],
        quotes: &[quote("\"", Some(b'`'), true), quote("'", None, true)],
        letters: "-",
        marks: "-",
        folds: true,
        dollars: true,
        ..HASH
    },
    Language {
        names: &["dockerfile", "docker", "containerfile"],
        keywords: "ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN \
            SHELL STOPSIGNAL USER VOLUME WORKDIR",
        heredocs: true,
        dollars: true,
        ..HASH
    },
    Language {
        names: &[
            "terraform",
            "hcl",
            "tf",
            "nix",
            "nginx",
            "nginxconf",
            "protobuf",
            "proto",
            "graphql",
            "gql",
            "zig",
            "solidity",
            "sol",
        ],
        keywords: "assert contract enum error event extends fn for fragment function if implements import in \
            inherit input interface let location locals map mapping memory message module modifier \
            mutation oneof optional output package payable provider pub public query rec repeated \
            required reserved resource return returns rpc scalar schema server service subscription \
            syntax terraform then type union upstream uint256 address string bool int32 int64 const var \
            variable view while with data else",
        comments: &["//", "#"],
        quotes: &[quote("''", None, true), TRIPLE, DOUBLE],
        dollars: true,
        ..BRACES
    },
    Language {
        names: &["yaml", "yml", "docker-compose", "openapi"],
        way: ScanMode::Yaml,
        constants: "true false null yes no on off True False Null Yes No On Off TRUE FALSE NULL YES NO ON OFF ~",
        ..HASH
    },
    Language {
        names: &[
            "toml",
            "ini",
            "cfg",
            "conf",
            "cnf",
            "properties",
            "dosini",
            "editorconfig",
            "gitconfig",
            "dotenv",
            "env",
            "desktop",
            "systemd",
        ],
        way: ScanMode::Keyed,
        constants: "true false null yes no on off inf nan True False",
        ..HASH
    },
    Language {
        names: &["makefile", "make", "mk", "gnumake"],
        way: ScanMode::Make,
        keywords: "ifeq ifneq ifdef ifndef else endif include -include sinclude define endef export unexport \
            override private vpath undefine",
        ..HASH
    },
    Language {
        names: &["diff", "patch", "udiff"],
        way: ScanMode::Diff,
        ..NONE
    },
    Language {
        names: &[
            "html",
            "htm",
            "html5",
            "vue",
            "svelte",
            "jsp",
            "razor",
            "handlebars",
            "mustache",
        ],
        way: ScanMode::Markup,
        folds: true,
        ..NONE
    },
    Language {
        names: &[
            "xml", "xhtml", "svg", "rss", "atom", "xsd", "xsl", "xslt", "plist", "mathml",
        ],
        way: ScanMode::Markup,
        ..NONE
    },
    Language {
        names: &["css", "scss", "less", "sass", "postcss"],
        way: ScanMode::Css,
        ..NONE
    },
];
