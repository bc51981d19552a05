# convertd: `make help` lists what there is to make. Needs Rust, a C compiler and make; nothing else.

CARGO ?= cargo
# Arguments for `make run`: make run ARGS='--listen 0.0.0.0:8080'
ARGS ?=
PREFIX ?= /usr/local
DESTDIR ?=
# How long `make soak` attacks, in seconds; and how often it kills the service.
SOAK ?= 600
CRASHES ?= 200

target := $(or $(CARGO_TARGET_DIR),target)
binary := $(target)/release/convertd
smoke_examples := health formats convert_image convert_audio_directory watch errors

# A static binary needs a static C library. Nearly every system brings one with its C compiler;
# where there is none (Fedora: glibc-static), the binary is linked dynamically, and that is said.
can_link_static = printf 'int main(void){return 0;}' | $${CC:-cc} -static -x c -o /dev/null - 2>/dev/null

.DEFAULT_GOAL := help
.PHONY: help run build test lint features check smoke bench bench-audio bench-document bench-hostile bench-image soak readme vendor install clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## build, and serve on http://127.0.0.1:8080 (more: ARGS='--listen …')
	@echo "Try: curl -F file=@photo.jpg -F target_format=png http://127.0.0.1:8080/api/v1/convert"
	@$(binary) serve $(ARGS)

build: ## build the small static binary, target/release/convertd
	@# With a named target, what only runs while building is not linked statically. The copy is a new file: cargo
	@# links what it puts there to its own copy, which must not be written to.
	@if $(can_link_static); then \
	  set -e; \
	  RUSTFLAGS="$$RUSTFLAGS -C target-feature=+crt-static" $(CARGO) build --release --target host-tuple; \
	  mkdir -p $(target)/release; \
	  install -m 755 "$(target)/$$(rustc --print host-tuple)/release/convertd" $(binary).new; \
	  mv -f $(binary).new $(binary); \
	else \
	  echo "make: no static C library here; convertd is linked dynamically"; \
	  $(CARGO) build --release; \
	fi

test: ## run all tests
	$(CARGO) test

lint: ## check formatting, and what clippy has to say
	$(CARGO) fmt --check
	$(CARGO) clippy --all-targets -- -D warnings

features: ## check that the program builds without its features, and with each alone
	@set -e; for feature in "" audio avif document heic jxl libwebp pdf spreadsheet svg; do \
	  echo "== $${feature:-none}"; \
	  $(CARGO) clippy --quiet --no-default-features --features "$$feature" -- -D warnings; \
	done

check: lint test smoke ## everything that has to pass before a change goes in; what .ci/run does

smoke: ## run every example against the program as it is built for the tests
	@$(CARGO) build --bins --examples
	@set -e; for example in $(smoke_examples); do \
	  echo "== $$example"; \
	  CONVERTD_BIN=$(abspath $(target)/debug/convertd) $(target)/debug/examples/$$example; \
	done

bench: build ## measure the figures in the README (beside nginx, wrk and ImageMagick where they are installed)
	@CONVERTD_BIN=$(abspath $(binary)) $(CARGO) bench --quiet --profile dev --bench foundation

bench-audio: ## measure the converters of sound beside ffmpeg
	@$(CARGO) run --quiet --release --example bench_audio

bench-document: build ## measure the converters of documents beside pandoc, typst and LibreOffice
	@CONVERTD_BIN=$(abspath $(binary)) $(CARGO) bench --quiet --profile dev --bench documents

bench-image: build ## measure the converters of pictures beside ImageMagick, libvips and sharp
	@CONVERTD_BIN=$(abspath $(binary)) $(CARGO) bench --quiet --profile dev --bench images

bench-hostile: build ## hostile clients: this service beside nginx and Node with sharp, where they are installed
	@CONVERTD_BIN=$(abspath $(binary)) $(CARGO) bench --quiet --profile dev --bench hostile

soak: ## the long form of the tests of hostile clients, files and faults: SOAK=600 seconds of mixed traffic
	CONVERTD_SOAK_SECONDS=$(SOAK) CONVERTD_FUZZ_SECONDS=$(SOAK) CONVERTD_CRASHES=$(CRASHES) CONVERTD_CROWD=10000 \
	  $(CARGO) test --release --test service -- --nocapture --test-threads 1 hostile::
	CONVERTD_LARGE_NOISE=yes $(CARGO) test --release --test images -- noise::

readme: ## write the tables in the README anew from what the program says
	UPDATE_README=1 $(CARGO) test --quiet --test readme -- --test-threads 1

vendor: ## put the source of every dependency into ./vendor, for building without a network
	@$(CARGO) vendor --locked --versioned-dirs vendor > vendor.toml.new
	@mv vendor.toml.new vendor/config.toml
	@echo "Build without a network:  cargo --config vendor/config.toml build --release --offline"
	@echo "or, for make and for good:  mkdir -p .cargo && cat vendor/config.toml >> .cargo/config.toml"

install: build ## install to $(DESTDIR)$(PREFIX)/bin
	install -D -m 755 $(binary) $(DESTDIR)$(PREFIX)/bin/convertd

clean: ## delete what was built
	$(CARGO) clean
