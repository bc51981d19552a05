# convertd: `make help` lists all targets. Needs Rust, a C compiler and make; nothing else.

CARGO ?= cargo
# Arguments for `make run`: make run ARGS='--listen 0.0.0.0:8080'
ARGS ?=
PREFIX ?= /usr/local
DESTDIR ?=
# Duration of each attack of `make soak`, in seconds, and (below) the number of times that it kills the service.
SOAK ?= 600
CRASHES ?= 200
# Folder of the documents for `make bench-pages`, which fetches them if they are missing.
PAGES ?= target/pages

# Machines that `make release` builds for, as Rust's target names. All but this machine need `rustup target add` and the
# compilers below.
TARGETS ?= x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu armv7-unknown-linux-gnueabihf

# Target of a build for another machine: make build TARGET=aarch64-unknown-linux-gnu
TARGET ?=
# Further arguments for cargo: make build FEATURES='--no-default-features --features libwebp'
FEATURES ?=

target := $(or $(CARGO_TARGET_DIR),target)
binary := $(target)/$(if $(TARGET),$(TARGET)/)release/convertd
host = $(shell rustc --print host-tuple)
smoke_examples := health formats convert_image convert_body convert_audio_directory watch errors
version := $(shell awk -F '"' '/^version = / { print $$2; exit }' Cargo.toml)
archive := $(target)/dist/convertd-$(version).tar.gz
released := $(target)/release-$(version)

# Debian's compilers for other machines, and QEMU's programs that run the results. They are in the packages
# gcc-aarch64-linux-gnu, gcc-arm-linux-gnueabihf, libc6-dev-arm64-cross, libc6-dev-armhf-cross, qemu-user-static; for
# whole machines (`make machine`) qemu-system-arm and cpio.
cc_aarch64-unknown-linux-gnu := aarch64-linux-gnu-gcc
cc_armv7-unknown-linux-gnueabihf := arm-linux-gnueabihf-gcc
qemu_aarch64-unknown-linux-gnu := qemu-aarch64-static
qemu_armv7-unknown-linux-gnueabihf := qemu-arm-static
ifneq ($(cc_$(TARGET)),)
  CC := $(cc_$(TARGET))
  upper := $(shell echo $(TARGET) | tr a-z- A-Z_)
  export CARGO_TARGET_$(upper)_LINKER := $(CC)
endif
# Two problems of 32-bit ARM. The decoder of AVIF declares a nightly feature of the compiler, which only its assembler
# uses; RUSTC_BOOTSTRAP allows that feature for this crate alone. And GNU's linker (2.40) forgets, in a program as large
# as this, that the function of the C library that selects a `memcpy` is Thumb code, so a static program dies before
# `main`. LLVM's linker, which comes with Rust, has no such fault.
ifneq ($(filter armv7-%,$(TARGET)),)
  export RUSTC_BOOTSTRAP := re_rav1d
  linker := -C link-arg=-fuse-ld=lld -C link-arg=-B$(shell rustc --print sysroot)/lib/rustlib/$(shell rustc --print host-tuple)/bin/gcc-ld
endif

# A static binary needs a static C library. Nearly every system brings one with its C compiler; without one (on Fedora
# it is the package glibc-static), the binary is linked dynamically, and make prints that.
can_link_static = printf 'int main(void){return 0;}' | $(CC) -static -x c -o /dev/null - 2>/dev/null

# A static program applies its own relocations when it starts. In packed form (DT_RELR) they take a fiftieth of the
# space, which saves 2 MB. C libraries support that form from glibc 2.36 and musl 1.2.4 on. With an older one the
# program would crash at once, so a small program is tried first.
packed := -C link-arg=-Wl,-z,pack-relative-relocs
can_pack = mkdir -p $(target) && \
  echo 'fn main() { println!("{:?}", ["packed"; 2]); }' | \
  rustc -C target-feature=+crt-static $(packed) -o $(target)/packed - 2>/dev/null && $(target)/packed >/dev/null 2>&1

# Identical code folding: the linker keeps one copy of functions with the same machine code, which makes the binary
# smaller. That is safe, because no code here compares the addresses of functions. LLVM's linker, which comes with Rust
# for most machines, supports it; with other linkers it is left out. `make budget` reads the map that the linker writes.
folded := -C link-arg=-Wl,--icf=all
can_fold = mkdir -p $(target) && \
  echo 'fn main() {}' | rustc $(if $(TARGET),--target $(TARGET)) $(linker) $(folded) -o $(target)/folded - 2>/dev/null

# Reproducible builds: the same source gives the same binary in any folder, because no path of this machine gets into
# the binary. Sources of dependencies have the same path, whether they come from the registry or from vendor/.
cargo_home := $(or $(CARGO_HOME),$(HOME)/.cargo)
registries := $(wildcard $(cargo_home)/registry/src/*)
renamed := $(CURDIR)=/convertd $(abspath $(target))=/target $(cargo_home)=/cargo $(addsuffix =/crates,$(registries) $(CURDIR)/vendor)
# With these symbol names, the map shows which crate each instance of generic code was made for. They are stripped from
# the program.
release_rustflags = $(addprefix --remap-path-prefix=,$(renamed)) -C symbol-mangling-version=v0
release_cflags = $(addprefix -ffile-prefix-map=,$(renamed))

# Determines the options for linking a program on this machine, and stores them in $$static.
link = static=; if $(can_link_static); then static='-C target-feature=+crt-static'; \
	  if [ -z "$(TARGET)" ] && $(can_pack); then static="$$static $(packed)"; fi; \
	else echo "make: no static C library here; convertd is linked dynamically"; fi; \
	if $(can_fold); then static="$$static $(folded) -C link-arg=-Wl,-Map=$(abspath $(target))/$(1).map"; fi

# Builds the program with a profile of Cargo.toml. The target is named explicitly, so that build scripts and macros are
# not linked statically.
compile = set -e; $(link); \
	RUSTFLAGS="$$RUSTFLAGS $(release_rustflags) $(linker) $$static" CFLAGS="$$CFLAGS $(release_cflags)" \
	  $(CARGO) build --profile $(1) --target $(or $(TARGET),host-tuple) $(FEATURES)

# Tools that are too complex for a shell script.
kit := $(CARGO) run --quiet --locked --package convertd-kit --

.DEFAULT_GOAL := help
.PHONY: help doctor run build test shipped lint canary features check smoke machine bench bench-audio bench-document bench-growth bench-hostile bench-image bench-ocr bench-pages bench-tables soak readme
.PHONY: licences sbom vendor dist dist-check offline reproducible budget audit release release-check package-check install clean

help:
	@awk -F ':.*## ' '/^## / { printf "\n%s\n", substr($$0, 4) } /^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

## Using it

doctor: ## say what this machine lacks for building, and for the tests
	@.ci/doctor

run: ## build quickly, with less optimisation, and serve on http://127.0.0.1:8080 (more: ARGS='--listen …')
	@$(call compile,quick)
	@echo "Try: curl -F file=@photo.jpg -F target_format=png http://127.0.0.1:8080/api/v1/convert"
	@$(target)/$(host)/quick/convertd serve $(ARGS)

build: ## build the small static binary, target/release/convertd (for another machine: TARGET=aarch64-unknown-linux-gnu)
	@# Installs a new file instead of overwriting the old one, which may be a hard link to cargo's own copy.
	@$(call compile,release); \
	if [ -z "$(TARGET)" ]; then \
	  mkdir -p $(target)/release; \
	  install -m 755 "$(target)/$(host)/release/convertd" $(binary).new; \
	  mv -f $(binary).new $(binary); \
	fi

install: build ## install to $(DESTDIR)$(PREFIX)/bin
	install -D -m 755 $(binary) $(DESTDIR)$(PREFIX)/bin/convertd

clean: ## delete what was built
	$(CARGO) clean

## Changing it

# Tests that start the program start a static one, as it is released. All tests run, even after a failure, and the names
# of the failed ones are printed at the end, because nobody finds a failure in the middle of many minutes of output. The
# tests of the service wait more than they compute, so they run at the same time as all others, and their output follows
# at the end.
log := $(target)/test.log
test: ## run all tests, and list the failed ones at the end
	@rm -f $(log).failed
	@$(link_dev)
	@$(CARGO) test --workspace --no-run
	@export CONVERTD_BIN=$(abspath $(shipped_dev)); \
	run() { $(CARGO) test --workspace --no-fail-fast "$$@" 2>&1 || touch $(log).failed; }; \
	run --test service >$(log).service & \
	run --lib --bins --test '[!s]*' --test 's[!e]*' | tee $(log); \
	wait; tee -a $(log) <$(log).service
	@if [ -e $(log).failed ]; then \
	  printf '\nmake: failed tests (full output in %s):\n' $(log); \
	  awk '/^ *Running / { where = $$2 == "unittests" ? $$3 : $$2 } \
	    /^test .* FAILED$$/ { print "  " where ": " $$2 } /^error/ { rest = 1 } rest' $(log); \
	  exit 1; \
	fi

# The program that `make shipped` tests: `dev` links the objects of the tests once more, which takes seconds; `quick` is
# the program that `make run` builds, and `release` the one of `make release`.
SHIPPED ?= dev
shipped_dev := $(target)/shipped/convertd
# The program is copied to a new file, because the next build of the tests overwrites the original.
link_dev = set -e; mkdir -p $(dir $(shipped_dev)); $(call link,dev); $(CARGO) rustc --bin convertd -- $(linker) $$static; \
	cp $(target)/debug/convertd $(shipped_dev).new; mv -f $(shipped_dev).new $(shipped_dev)
shipped_quick := $(target)/$(host)/quick/convertd
shipped_release := $(target)/$(host)/release/convertd
shipped: ## try every pair, option and endpoint with the program as it ships: static, and in its sandbox (SHIPPED=quick or release)
	@$(if $(filter dev,$(SHIPPED)),$(link_dev),$(call compile,$(SHIPPED)))
	CONVERTD_BIN=$(abspath $(shipped_$(SHIPPED))) CONVERTD_SHIPPED=$(if $(filter release,$(SHIPPED)),all,each) \
	  $(CARGO) test --test shipped -- --nocapture

canary: ## plant a fault for each check, and fail if a check does not find it
	@.ci/canary

lint: ## check formatting, clippy's lints, and the links of the documentation
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --workspace --no-deps --document-private-items
	@$(kit) licences --check
	@$(kit) words
	@$(kit) tidy

# Combinations of features, each a list with commas, or "none".
FEATURE_SETS ?= none audio avif djvu document heic jpeg2000 jxl libwebp mail ocr pdf presentation spreadsheet svg

features: ## check that the program builds without its features, and with each alone (or with FEATURE_SETS)
	@set -e; for features in $(FEATURE_SETS); do \
	  echo "== $$features"; \
	  $(CARGO) clippy --quiet --no-default-features --features "$${features#none}" -- -D warnings; \
	done

# Runs the lints of `make lint` in the builds that the tests need anyway, because `cargo clippy` would compile every
# dependency once more. Benches are built separately, because no test needs them.
check: export RUSTC_WORKSPACE_WRAPPER := clippy-driver
check: export CLIPPY_ARGS := -Dwarnings__CLIPPY_HACKERY__
# Nobody debugs these programs or builds them again after a small change. Without line numbers for a debugger and
# without the data for incremental builds, compiling and linking are faster.
check: export CARGO_PROFILE_DEV_DEBUG := false
check: export CARGO_INCREMENTAL := 0
check: ## everything that has to pass before a change goes in; what .ci/run does
	$(CARGO) fmt --all --check
	$(MAKE) test
	$(CARGO) build --workspace --bench '*'
	$(MAKE) features FEATURE_SETS='none document,spreadsheet'
	@$(kit) licences --check
	@$(kit) words
	@$(kit) tidy
	$(MAKE) canary
	$(MAKE) smoke

build_other = RUSTFLAGS="$$RUSTFLAGS $(linker) -C target-feature=+crt-static" \
  $(CARGO) build --bins --examples --target $(TARGET) $(FEATURES)

smoke: ## run every example against the program as it is built for the tests (with TARGET: in QEMU, as far as that can)
ifeq ($(TARGET),)
	@$(CARGO) build --bins --examples
	@set -e; for example in $(smoke_examples); do \
	  echo "== $$example"; \
	  CONVERTD_BIN=$(abspath $(target)/debug/convertd) $(target)/debug/examples/$$example; \
	done
else
	@$(build_other)
	@set -e; folder=$(abspath $(target)/$(TARGET)/debug); \
	printf '#!/bin/sh\nCONVERTD_ISOLATION=thread exec $(qemu_$(TARGET)) %s/convertd "$$@"\n' $$folder > $$folder/in-qemu; \
	chmod 755 $$folder/in-qemu; \
	for example in $(smoke_examples); do \
	  echo "== $$example"; \
	  CONVERTD_BIN=$$folder/in-qemu $(qemu_$(TARGET)) $$folder/examples/$$example; \
	done
endif

machine: ## boot a machine of TARGET in QEMU, and run every example in it: with children and their sandbox, which smoke cannot
	@$(build_other)
	@.ci/machine $(TARGET) $(abspath $(target)/$(TARGET)/debug) $(smoke_examples)

readme: ## generate the tables of the manual from the program
	UPDATE_README=1 $(CARGO) test --quiet --test readme -- --test-threads 1

licences: ## generate the file that `convertd licences` prints, after a change of dependencies
	@$(kit) licences

## Measuring it

bench: build ## measure the figures of the manual (beside nginx, wrk and ImageMagick where they are installed)
	@CONVERTD_BIN=$(abspath $(binary)) $(CARGO) bench --quiet --profile dev --bench foundation

bench-audio: ## measure the converters of sound beside ffmpeg
	@$(CARGO) run --quiet --release --example bench_audio

bench-document: build ## measure the converters of documents beside pandoc, typst and LibreOffice
	@CONVERTD_BIN=$(abspath $(binary)) $(CARGO) bench --quiet --profile dev --bench documents

bench-growth: build ## measure how time and memory grow with ten times the input (needs Python)
	@tests/bench/growth.py --binary $(abspath $(binary))

bench-image: build ## measure the converters of pictures beside ImageMagick, libvips and sharp
	@CONVERTD_BIN=$(abspath $(binary)) $(CARGO) bench --quiet --profile dev --bench images

bench-pages: build ## measure pages beside those that Word printed, and LibreOffice's; fetches them into PAGES (target/pages)
	@tests/corpora/pages.py --fetch --binary $(abspath $(binary)) $(PAGES)

bench-tables: build ## measure how tables of PDFs are found: make bench-tables ICDAR=FOLDER (see tests/corpora/README.md)
	tests/corpora/tables.py $(ICDAR) --binary $(abspath $(binary))

bench-ocr: build ## measure how pages are read beside tesseract, by kind of page (see tests/corpora/README.md)
	@tests/corpora/ocr.py --binary $(abspath $(binary))

bench-hostile: build ## hostile clients: this service beside nginx and Node with sharp, where they are installed
	@CONVERTD_BIN=$(abspath $(binary)) $(CARGO) bench --quiet --profile dev --bench hostile

soak: build ## the long form of the tests of hostile clients, files and faults: SOAK=600 seconds of mixed traffic
	CONVERTD_BIN=$(abspath $(binary)) CONVERTD_SOAK_SECONDS=$(SOAK) CONVERTD_FUZZ_SECONDS=$(SOAK) \
	  CONVERTD_CRASHES=$(CRASHES) CONVERTD_CROWD=10000 \
	  $(CARGO) test --test service -- --nocapture --test-threads 1 hostile:: shared::nothing
	CONVERTD_BIN=$(abspath $(binary)) CONVERTD_LARGE_NOISE=yes $(CARGO) test --test images -- noise::
	tests/bench/growth.py --binary $(abspath $(binary)) --most 15

budget: build ## print the size of the binary by parts; fails if it or its memory when idle is larger than the manual says
	@[ ! -s $(target)/release.map ] || $(kit) weight $(target)/release.map $(or $(TARGET),$(host))
	@CONVERTD_BIN=$(abspath $(binary)) $(kit) budget

## Releasing it

sbom: ## write the bill of materials, as CycloneDX, to convertd.cdx.json beside it (with TARGET and FEATURES as in the build)
	@mkdir -p $(dir $(binary))
	@$(kit) sbom $(or $(TARGET),$(host)) $(FEATURES) > $(binary).cdx.json.new
	@mv $(binary).cdx.json.new $(binary).cdx.json
	@echo "$(binary).cdx.json"

audit: ## look dependencies up among known vulnerabilities (RustSec); needs cargo-deny, and its database from the network
	@command -v cargo-deny >/dev/null || { echo "make: this needs cargo-deny: cargo install --locked cargo-deny" >&2; exit 1; }
	$(CARGO) deny --all-features check advisories bans sources || { echo "make: see above; without a network there is no database to look into" >&2; exit 1; }

vendor: ## put the source of every dependency into ./vendor, for building without a network
	@$(CARGO) vendor --locked --versioned-dirs vendor > vendor.toml.new
	@mv vendor.toml.new vendor/config.toml
	@echo "Build without a network:  cargo --config vendor/config.toml build --release --offline"
	@echo "or, for make and for good:  mkdir -p .cargo && cat vendor/config.toml >> .cargo/config.toml"

dist: ## make one archive of what is committed and of every dependency's source; `make build` in it needs no network
	@git diff --quiet HEAD || echo "make: uncommitted changes are not in the archive"
	@set -e; name=convertd-$(version); folder=$(target)/dist/$$name; \
	rm -rf $$folder; mkdir -p $$folder/.cargo; \
	git archive HEAD | tar -x -C $$folder; \
	(cd $$folder && $(CARGO) vendor --quiet --locked --versioned-dirs vendor >/dev/null); \
	printf '[source.crates-io]\nreplace-with = "vendored-sources"\n\n[source.vendored-sources]\ndirectory = "vendor"\n' > $$folder/.cargo/config.toml; \
	tar -C $(target)/dist --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX \
	  --mtime=@$$(git log -1 --format=%ct) -cf - $$name | gzip -n > $(archive).new; \
	mv $(archive).new $(archive); rm -r $$folder; \
	ls -l $(archive)

# Runs a command in a folder with the unpacked archive, without a network, and with a minimal environment: an empty home
# of cargo, and RUSTUP_HOME, by which rustup finds the toolchain.
in_archive = mkdir -p $(1) && tar -xzf $(archive) -C $(1) --strip-components 1 && mkdir -p $(1)/.home && cd $(1) && \
  unshare $(if $(filter 0,$(shell id -u)),,-r) -n env -i PATH="$$PATH" HOME="$$PWD/.home" CARGO_HOME="$$PWD/.home" RUSTUP_HOME="$${RUSTUP_HOME:-$$HOME/.rustup}"

offline: dist ## prove quickly that the archive is complete: every dependency is found, and a small program built, without a network
	@set -e; scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; \
	$(call in_archive,"$$scratch/a") sh -c 'cargo metadata --offline --locked --all-features --format-version 1 >/dev/null \
	  && cargo run --quiet --offline --locked --package convertd-kit -- licences --check'; \
	echo "The archive needs no network."

dist-check: dist ## build from the archive without a network
	@set -e; scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; \
	$(call in_archive,"$$scratch/a") make build FEATURES='$(FEATURES)'; \
	"$$scratch"/a/target/release/convertd --version

reproducible: dist ## build from the archive in two folders without a network, and compare the binaries
	@set -e; scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; \
	for folder in "$$scratch/a" "$$scratch/another/folder"; do \
	  ($(call in_archive,"$$folder") make build FEATURES='$(FEATURES)'); \
	  sha256sum "$$folder/target/release/convertd"; \
	done; \
	cmp "$$scratch/a/target/release/convertd" "$$scratch/another/folder/target/release/convertd"; \
	echo "Both are the same."

release: SHIPPED := release

# Makes a Debian package, a container and a bill of materials for each machine, and the files that all machines share.
release: dist build shipped ## make all that a release consists of, in target/release-VERSION (TARGETS=… for fewer machines): no network, no docker
	@set -e; folder=$(released); rm -rf $$folder; mkdir -p $$folder; \
	export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct); \
	for target in $(TARGETS); do \
	  other=; if [ $$target != $(host) ]; then other=$$target/; $(MAKE) build TARGET=$$target; fi; \
	  .ci/package $$target $(target)/$${other}release/convertd $(binary) $(version) $$folder; \
	  $(kit) sbom $$target $(FEATURES) > $$folder/convertd-$(version)-$${target%%-*}.cdx.json; \
	done; \
	$(binary) licences > $$folder/LICENCES.txt; \
	cp $(archive) $$folder/convertd-$(version)-source.tar.gz; \
	cd $$folder && sha256sum * > SHA256SUMS && ls -l

package-check: ## install the Debian package that `make release` made, start its unit's command, and remove it again; as root, in an overlay
	@.ci/package-check $(released)/convertd_$(version)_$(shell dpkg --print-architecture).deb

release-check: check offline reproducible budget sbom audit release package-check ## `check`, and the checks of a release that take too long for every change
