# Makefile - GNU Make 4.3 or later.  `make help` lists the targets.
#
# SPDX-License-Identifier: Apache-2.0
#
# Settings, on the command line or in config.mk, which git ignores:
#   B=DIR         build directory (build, or build/address-undefined ...)
#   CC, CFLAGS, CPPFLAGS, LDFLAGS, LDLIBS, PREFIX, DESTDIR    as usual
#   SAN=LIST      sanitizers: address,undefined   thread
#   COV=1         coverage        WERROR=         no -Werror        V=1   verbose
#   RUN='OPTIONS' for the run of `make run`

MAKEFLAGS += --no-builtin-rules --no-builtin-variables
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all
-include config.mk

VERSION  := 0.2.0
CC       ?= cc
ifeq ($(origin CC),default)
CC       := cc
endif
AR       := ar
OBJCOPY  ?= objcopy
PREFIX   ?= /usr/local
CFLAGS   ?= -O2 -g
WERROR   ?= $(if $(wildcard .git),-Werror)
comma    := ,
B        ?= build$(if $(SAN),/$(subst $(comma),-,$(SAN)))$(if $(COV),/cov)
# The PJRT adapter needs the official header, which `make xla-cpu` fetches
# together with two plugins (or name another one: PJRT_HEADER=DIR).
XLA_CPU     ?= $(B)/xla-cpu
PJRT_HEADER ?= $(XLA_CPU)/include
PKGS     := mpfr gmp sqlite3 libcjson libseccomp nettle
Q        := $(if $(V),,@)

# Recipes remove and install what these name, unquoted: a blank would make two
# names of one.  So nothing is accepted that the shell does not take as it is.
FOLDERS := B PREFIX DESTDIR XLA_CPU PJRT_HEADER
quote   = '$(subst ','\'',$(1))'
REFUSED := $(shell export LC_ALL=C; $(foreach f,$(FOLDERS), \
             [ $(words -$($(f))-)-`printf %s $(call quote,$(strip $($(f)))) | tr -d 'A-Za-z0-9_./+,:@%=~\200-\377-' | wc -c` = 1-0 ] || echo $(f);))
ifneq ($(REFUSED),)
$(error $(foreach f,$(REFUSED),$(f)=$(call quote,$($(f)))): the name of a folder must not contain blanks or characters that are special in the shell)
endif
ifeq ($(B),)
$(error B='': the build folder must have a name)
endif

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
        -Wmissing-prototypes -Wold-style-definition -Wpointer-arith \
        -Wwrite-strings -Wundef -Wvla -Wformat=2 -Wimplicit-fallthrough \
        -Wswitch-enum -Werror=switch -Werror=switch-enum -Wno-unused-parameter $(WERROR)
FP   := -ffp-contract=off -frounding-math -fno-fast-math
BASE_CFLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L $(WARN) $(FP) \
              -fvisibility=hidden -fno-common -fPIC \
              -I. -Ispec -I$(B) -DASSAY_VERSION='"$(VERSION)"' \
              $(CPPFLAGS) $(CFLAGS)
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
ALL_CFLAGS = $(BASE_CFLAGS) $(PKG_CFLAGS)
# musl lacks argp, which libargp (argp-standalone) has; with musl-gcc, LDLIBS=-largp.
ALL_LDLIBS = $(shell pkg-config --libs $(PKGS) 2>/dev/null) $(LDLIBS) \
             $(if $(findstring musl,$(shell $(CC) -dumpmachine 2>/dev/null)),-largp) -lm -ldl -lpthread
# The tests compare with MPC, which the product does without.
TEST_LDLIBS = -lmpc $(ALL_LDLIBS)
ifdef SAN
# A backend that crashes is to be killed by its signal, as without it.
SAN_ENV     := ASAN_OPTIONS=handle_segv=0
BASE_CFLAGS += -fsanitize=$(SAN) -fno-sanitize-recover=all \
              -fno-omit-frame-pointer
LDFLAGS    += -fsanitize=$(SAN)
endif
ifdef COV
BASE_CFLAGS += --coverage -O0
LDFLAGS    += --coverage
endif

# ---- What there is ---------------------------------------------------------

# An operation is its three places, and each must be there.
OPS  := $(sort $(patsubst spec/ops/%.json,%,$(wildcard spec/ops/*.json)))
LACK := $(filter-out $(wildcard $(OPS:%=interp/ops/%.c) $(OPS:%=cases/%)), \
                     $(OPS:%=interp/ops/%.c) $(OPS:%=cases/%))
ODD  := $(filter-out $(OPS:%=interp/ops/%.c),$(wildcard interp/ops/[A-Z]*.c))
ifneq ($(strip $(LACK)),)
$(error spec/ops/ names operations without $(LACK))
endif
ifneq ($(strip $(ODD)),)
$(error without a file in spec/ops/: $(ODD))
endif

# libassay is interp/ as a whole.
LIB_SRC   := $(filter-out interp/test/%,$(wildcard interp/*/*.c))
APP_SRC   := $(wildcard runner/*.c report/*.c report/doc/*.c \
                        $(addsuffix /*.c,$(addprefix runner/,plugin plan store process))) \
             $(filter-out tools/verbs/assay.c,$(wildcard tools/verbs/*.c))
TEST_DIRS := interp/test runner/test report/test tools/test
TEST_SRC  := $(wildcard $(TEST_DIRS:%=%/test_*.c))
TEST_T    := $(wildcard $(TEST_DIRS:%=%/*.t))
TEST_LIB  := $(wildcard interp/test/tap.c $(TEST_DIRS:%=%/slow_*.c))
FUZZ_SRC  := $(wildcard $(TEST_DIRS:%=%/fuzz_*.c))
BENCH_SRC := $(wildcard tools/benches/bench_*.c)
TWICE_SRC := $(wildcard tools/checks/check_twice*.c)
# One folder a backend; in evil/, a file has one or several, each named by the
# first argument of a macro; faulty/ is native with a fault.
BACKENDS  := $(filter-out evil faulty pjrt process,$(notdir $(patsubst %/,%,$(wildcard runner/backends/*/))))
EVIL_AT   := $(shell awk -F '[^A-Za-z_0-9]' '/^EVIL_/ { print $$2 ":" FILENAME }' runner/backends/evil/*.c)
EVIL      := $(foreach e,$(EVIL_AT),$(firstword $(subst :, ,$(e))))
PLUGINS   := $(BACKENDS:%=$(B)/backends/%.so) $(EVIL:%=$(B)/backends/evil/%.so) \
             $(B)/backends/process.so $(B)/backends/faulty.so
ifneq ($(wildcard $(PJRT_HEADER)/pjrt_c_api.h),)
PLUGINS += $(B)/backends/pjrt.so
TEST_PLUGINS := $(B)/runner/test/mock_pjrt.so
endif

SRC       := $(LIB_SRC) $(APP_SRC) $(TEST_SRC) $(TEST_LIB) $(FUZZ_SRC) \
             interp/test/replay.c tools/verbs/assay.c tools/benches/bench.c tools/checks/check_kernel.c $(TWICE_SRC) $(BENCH_SRC)
OBJ        = $(SRC:%.c=$(B)/%.o)
TESTS     := $(TEST_SRC:%.c=$(B)/%)
REPLAYS   := $(FUZZ_SRC:%.c=$(B)/%)
BENCHES   := $(BENCH_SRC:%.c=$(B)/%) $(B)/tools/checks/check_kernel

# What users run; the backends of evil/ and faulty/ are for the tests.
BUILT := $(B)/assay $(B)/libassay.so $(filter-out $(B)/backends/evil/% $(B)/backends/faulty.so,$(PLUGINS)) \
         $(B)/custom-calls.so $(B)/backends/native.expect $(B)/assay.pc $(B)/assay-config-version.cmake
.PHONY: all
all: $(BUILT) $(PLUGINS)  ## build everything

# ---- What must be installed -------------------------------------------------

# Written when a build has what it needs; apt-get installs what is missing.
DEPS := gcc libc6-dev pkg-config libmpfr-dev libgmp-dev libsqlite3-dev \
        libcjson-dev libseccomp-dev nettle-dev
TEST_DEPS := perl g++ sqlite3 libmpc-dev python3 python3-jsonschema \
             python3-numpy python3-scipy python3-mpmath python3-yaml
$(B)/.deps: tools/install-deps Makefile
	$(Q)mkdir -p $(@D) && tools/install-deps $(DEPS) && touch $@
$(B)/.test-deps: tools/install-deps Makefile
	$(Q)mkdir -p $(@D) && tools/install-deps $(TEST_DEPS) && touch $@

# ---- Building ---------------------------------------------------------------

$(B)/assay: $(B)/tools/verbs/assay.o $(APP_SRC:%.c=$(B)/%.o) $(B)/libassay.a
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -rdynamic -o $@ $^ $(ALL_LDLIBS)

$(B)/libassay.a: $(LIB_SRC:%.c=$(B)/%.o) $(B)/gen/spec_data.o
	@echo "  AR    $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/%.o: %.c $(B)/gen/flags | $(B)/.deps $(B)/gen/ops.def $(B)/gen/.names $(B)/gen/suite.def
	@echo "  CC    $<"
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The values of a kernel, and of a second one that it is compared with, are
# those of its source, operation by operation; these options let the loops be
# vectors, and change none.
$(B)/interp/fast/%.o $(B)/tools/checks/check_kernel.o $(TWICE_SRC:%.c=$(B)/%.o): BASE_CFLAGS += -O3 -fno-math-errno -fno-trapping-math -fno-rounding-math

# What is installed: one object, which defines what assay/reference.h declares
# and nothing else, so that no name of the interpreter meets one of yours.
$(B)/install/libassay.a: $(B)/libassay.a
	@echo "  AR    $@"
	$(Q)mkdir -p $(@D) && rm -f $@
	$(Q)$(CC) -r -nostdlib $(if $(findstring -flto,$(CFLAGS)),-flinker-output=nolto-rel) -o $(@D)/assay.o -Wl,--whole-archive $<
	$(Q)$(OBJCOPY) --wildcard --keep-global-symbol='assay_reference_*' $(@D)/assay.o
	$(Q)$(AR) rcs $@ $(@D)/assay.o

# The same, to be loaded while a program runs (tools/python).
$(B)/libassay.so: $(B)/libassay.a
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -shared -o $@ -Wl,--whole-archive $< -Wl,--no-whole-archive $(ALL_LDLIBS)

# The specification, and every query and text that the program carries.
EMBED := $(wildcard spec/*.json spec/*.sql spec/suites.lock LICENSE spec/ops/*.json spec/families/*.json \
           spec/profiles/*.json spec/*.md README.md tools/python/README.md report/findings/*.md report/findings/*.json report/*.sql report/*.css report/*.js \
           report/doc/*.css report/doc/*.js)
$(B)/embed: tools/makers/embed.c | $(B)/.deps
	@echo "  LD    $@"
	$(Q)mkdir -p $(@D) && $(CC) $(BASE_CFLAGS) -o $@ $<
$(B)/gen/spec_data.c: $(B)/embed $(EMBED) $(B)/gen/embed.list
	$(Q)$(B)/embed $(EMBED) >$@
$(B)/gen/spec_data.o: $(B)/gen/spec_data.c
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# The names of policies, their choices and attributes, which become enumerations.
NAMED := spec/policies.json $(wildcard spec/families/*.json spec/ops/*.json)
$(B)/names: tools/makers/names.c | $(B)/.deps
	@echo "  LD    $@"
	$(Q)mkdir -p $(@D) && $(CC) $(BASE_CFLAGS) $(PKG_CFLAGS) $(LDFLAGS) -o $@ $< $(shell pkg-config --libs libcjson 2>/dev/null)
# Only what has changed is written: a new choice of a policy concerns those who
# decide by it, not who includes the other policies.
$(B)/gen/.names: $(B)/names $(NAMED)
	$(Q)rm -rf $(B)/gen/new && mkdir -p $(B)/gen/policy $(B)/gen/new/policy && $(B)/names $(B)/gen/new $(NAMED)
	$(Q)cd $(B)/gen/new && for f in *.* policy/*; do cmp -s $$f ../$$f || cp $$f ../$$f; done && \
	  for f in ../policy/*; do [ -e policy/$${f##*/} ] || rm $$f; done
	$(Q)rm -r $(B)/gen/new && touch $@
$(B)/gen/attributes.def $(B)/gen/policies.def $(B)/gen/policies.h $(wildcard $(B)/gen/policy/*.h): $(B)/gen/.names ;

$(B)/backends/native.expect: runner/backends/native/native.expect
	$(Q)mkdir -p $(@D) && cp $< $@

# A plugin sees only the ABI header; reference is the interpreter itself.
$(B)/backends/reference.so: $(patsubst %.c,$(B)/%.o,$(wildcard runner/backends/reference/*.c)) $(B)/libassay.a
	@echo "  LD    $@"
	$(Q)mkdir -p $(@D) && $(CC) $(LDFLAGS) -shared -Wl,--exclude-libs,ALL -o $@ $^ $(ALL_LDLIBS)
.PHONY: xla-cpu
xla-cpu: | $(B)/.pip-deps  ## fetch two XLA:CPU plugins, build the PJRT adapter
	$(Q)tools/fetch-xla-cpu $(XLA_CPU)
	$(Q)$(MAKE) $(B)/assay $(B)/backends/pjrt.so
# Libraries as backends: a virtual environment each, with the package
# tools/python.  PYTHON=python3.13 takes another Python.  Of the name, the
# options of the command that is shown, those of pip, and the adapter's name.
PYTHON ?= python3
fetch-wheels = $(Q)tools/install-deps python3-venv && $(PYTHON) -m venv $(B)/$(1) && { \
	  $(B)/$(1)/bin/python -m pip -q install $(3) --require-hashes --only-binary :all: -r tools/python/$(1).txt || { \
	    echo 'make $(1): tools/python/$(1).txt pins wheels for CPython 3.11 to 3.13 on x86-64' >&2; exit 1; } } && \
	  $(B)/$(1)/bin/python -m pip -q install --no-deps ./tools/python && \
	  echo "$(B)/assay run --backend 'process:$(B)/$(1)/bin/python -m assay.backends.$(or $(4),$(1))' $(2)"
.PHONY: numpy jax iree onnxruntime openvino tensorflow mlx opencl
numpy: $(B)/assay $(B)/backends/process.so | $(B)/.pip-deps  ## fetch NumPy, to be judged as a backend
	$(call fetch-wheels,numpy,--expectations report/expectations/numpy-2.4.6.json)
jax: $(B)/assay $(B)/backends/process.so | $(B)/.pip-deps  ## fetch JAX (jaxlib's XLA:CPU: 0.12.0.1, with PYTHON older than 3.12 0.10.2)
	$(call fetch-wheels,jax,--filter 'Add/*')
iree: $(B)/assay $(B)/backends/process.so | $(B)/.pip-deps  ## fetch IREE's compiler and runtime, to be judged as a backend
	$(call fetch-wheels,iree,--batch 32 --expectations report/expectations/iree-3.13.0.json)
onnxruntime: $(B)/assay $(B)/backends/process.so | $(B)/.pip-deps  ## fetch ONNX Runtime, to be judged as a backend
	$(call fetch-wheels,onnxruntime,--expectations report/expectations/onnxruntime-1.32.0.json)
openvino: $(B)/assay $(B)/backends/process.so | $(B)/.pip-deps  ## fetch OpenVINO, to be judged as a backend
	$(call fetch-wheels,openvino,--expectations report/expectations/openvino-2026.4.1.json,--no-deps)
tensorflow: $(B)/assay $(B)/backends/process.so | $(B)/.pip-deps  ## fetch TensorFlow for the CPU, to be judged as a backend
	$(call fetch-wheels,tensorflow,--expectations report/expectations/tensorflow-2.21.0.json,--no-deps)
mlx: $(B)/assay $(B)/backends/process.so | $(B)/.pip-deps  ## fetch MLX with its CPU device, to be judged as a backend
	$(call fetch-wheels,mlx,--expectations report/expectations/mlx-0.32.4.json)
# Debian's packages, and a virtual environment that sees them.
opencl: $(B)/assay $(B)/backends/process.so  ## install PoCL, OpenCL on the CPU, to be judged as a backend
	$(Q)tools/install-deps pocl-opencl-icd python3-pyopencl python3-venv
	$(Q)/usr/bin/python3 -m venv --system-site-packages $(B)/opencl && $(B)/opencl/bin/python -m pip -q install --no-deps ./tools/python
	@echo "$(B)/assay run --backend 'process:$(B)/opencl/bin/python -m assay.backends.opencl' --expectations report/expectations/opencl-pocl-3.1.json"
.PHONY: torch
torch: $(B)/assay $(B)/backends/process.so  ## fetch Debian's PyTorch into the build folder, to be judged as a backend
	$(Q)tools/fetch-torch $(B)/torch
	@echo "PYTHONPATH=tools/python $(B)/assay run --backend 'process:$(B)/torch/python -m assay.backends.torch' --expectations report/expectations/torch-1.13.0a0.json"
.PHONY: torch-latest
torch-latest: $(B)/assay $(B)/backends/process.so | $(B)/.pip-deps  ## fetch the newest PyTorch (GB of CUDA with it), to be judged as a backend
	@echo '  FETCH PyTorch and the libraries of CUDA that it is linked to: 2.5 GB, and 4.1 GB on the disk'
	$(call fetch-wheels,torch-latest,--expectations report/expectations/torch-2.15.0.json,--no-deps,torch)
$(B)/.pip-deps: tools/install-deps
	$(Q)mkdir -p $(@D) && tools/install-deps python3 python3-pip && touch $@
$(B)/backends/pjrt.so: $(wildcard runner/backends/pjrt/*) interp/base/dtype.def $(B)/gen/flags | $(B)/.deps
	@echo "  LD    $@"
	$(Q)mkdir -p $(@D) && $(CC) $(BASE_CFLAGS) -isystem $(PJRT_HEADER) $(LDFLAGS) -shared -o $@ $(filter %.c,$^) -ldl
# The adapter for backends that are programs (spec/protocol.md).
$(B)/backends/process.so: $(wildcard runner/backends/process/*.[ch] spec/assay/*.h spec/assay/ext/*.h) $(wildcard $(addprefix interp/base/,dtype.def status.def json_scan.[ch] memory.[ch] status.[ch] text.[ch])) $(B)/gen/flags | $(B)/.deps
	@echo "  LD    $@"
	$(Q)mkdir -p $(@D) && $(CC) $(BASE_CFLAGS) $(LDFLAGS) -shared -o $@ $(filter %.c,$^) $(shell pkg-config --cflags --libs libcjson 2>/dev/null)
# Native with one fault (tools/checks/faults).
$(B)/backends/faulty.so: $(wildcard runner/backends/faulty/* runner/backends/native/* spec/assay/*.h) $(B)/gen/flags | $(B)/.deps
	@echo "  LD    $@"
	$(Q)mkdir -p $(@D) && $(CC) $(BASE_CFLAGS) $(LDFLAGS) -shared -o $@ $(filter-out %/native/backend.c,$(filter %.c,$^)) -lm
# A PJRT plugin for the tests, which misbehaves on demand.
$(B)/runner/test/mock_pjrt.so: runner/test/mock_pjrt.c $(B)/gen/flags | $(B)/.deps
	@echo "  LD    $@"
	$(Q)mkdir -p $(@D) && $(CC) $(BASE_CFLAGS) -D_GNU_SOURCE -isystem $(PJRT_HEADER) $(LDFLAGS) -shared -o $@ $<
$(foreach e,$(EVIL_AT),$(eval $(B)/backends/evil/$(subst :,.so: ,$(e))))
$(EVIL:%=$(B)/backends/evil/%.so): $(wildcard runner/backends/evil/*.h runner/backends/native/* spec/assay/*.h) $(B)/gen/flags | $(B)/.deps
	@echo "  LD    $@"
	$(Q)mkdir -p $(@D) && $(CC) $(BASE_CFLAGS) -D_GNU_SOURCE -DEVIL=evil_$(basename $(@F)) $(LDFLAGS) -shared -o $@ $(filter runner/backends/evil/%.c,$^) -lm -ldl
.SECONDEXPANSION:
$(B)/backends/%.so: $$(wildcard runner/backends/%/*.c runner/backends/%/*.h runner/backends/%/*.def spec/assay/*.h) $(B)/gen/flags | $(B)/.deps
	@echo "  LD    $@"
	$(Q)mkdir -p $(@D) && $(CC) $(BASE_CFLAGS) $(LDFLAGS) -shared -o $@ $(filter %.c,$^) -lm -ldl

$(TEST_SRC:%.c=$(B)/%.o): | $(B)/.test-deps
$(TESTS): $(B)/%: $(B)/%.o $(TEST_LIB:%.c=$(B)/%.o) $(APP_SRC:%.c=$(B)/%.o) $(B)/libassay.a
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -rdynamic -o $@ $^ $(TEST_LDLIBS)
$(REPLAYS): $(B)/%: $(B)/%.o $(B)/interp/test/replay.o $(B)/interp/test/tap.o $(APP_SRC:%.c=$(B)/%.o) $(B)/libassay.a
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -rdynamic -o $@ $^ $(ALL_LDLIBS)
$(BENCHES): $(B)/%: $(B)/%.o $(B)/tools/benches/bench.o $(APP_SRC:%.c=$(B)/%.o) $(B)/libassay.a
	@echo "  LD    $@"
	$(Q)$(CC) $(LDFLAGS) -rdynamic -o $@ $^ $(ALL_LDLIBS)
$(B)/tools/checks/check_kernel: $(TWICE_SRC:%.c=$(B)/%.o)

# Functions that cases/CustomCall/ calls.
CUSTOM_CALLS := myfunc no_operand three_alike three_types tuples
$(B)/custom-calls.so: cases/CustomCall/functions.c $(B)/gen/flags | $(B)/.deps
	@echo "  LD    $@"
	$(Q)mkdir -p $(@D) && $(CC) $(filter-out -fvisibility=hidden,$(BASE_CFLAGS)) $(LDFLAGS) -shared -o $@ $<

# Written only when they change, to avoid needless rebuilds.
put = @mkdir -p $(@D) && printf '%s\n' $(1) >$@.new && \
      if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(B)/gen/ops.def: FORCE
	$(call put,$(patsubst %,'OP(%)',$(OPS)))
# The suite's digest (spec/results.md), to be compared with that of the cases
# that a run reads.
$(B)/gen/suite.def: FORCE
	$(call put,"\"$$({ find cases -name '*.json' ! -path '*/.*'; printf '%s\n' $(filter spec/%.json,$(EMBED)); } | \
	  LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c1-64)\"")
$(B)/gen/embed.list: FORCE
	$(call put,$(EMBED))
$(B)/gen/flags: FORCE
	$(call put,'$(subst ','\'',$(CC) $(BASE_CFLAGS))')
$(B)/assay.pc: FORCE
	$(call put,'prefix=$(PREFIX)' 'Name: assay' \
	  'Description: conformance suite and exact reference for XLA operations' \
	  'Version: $(VERSION)' 'Requires: mpfr gmp libcjson' \
	  'Libs: -L$${prefix}/lib -lassay -lm -ldl -lpthread' \
	  'Cflags: -I$${prefix}/include')
# Below 1.0 a program that was made for 0.2 does not take 0.3 for it.
$(B)/assay-config-version.cmake: FORCE
	$(call put,'set(PACKAGE_VERSION $(VERSION))' \
	  'string(REGEX MATCH "^[0-9]+\\.[0-9]+" own $(VERSION))' \
	  'string(REGEX MATCH "^[0-9]+\\.[0-9]+" asked "$${PACKAGE_FIND_VERSION}.0")' \
	  'if(own VERSION_EQUAL asked AND NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)' \
	  '  set(PACKAGE_VERSION_COMPATIBLE TRUE)' 'endif()' \
	  'if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)' \
	  '  set(PACKAGE_VERSION_EXACT TRUE)' 'endif()')
.PHONY: FORCE
FORCE:

# ---- The two commands ---------------------------------------------------------

.PHONY: run test
run: $(BUILT)  ## judge the built-in backend on the whole suite, print the report
	@echo '  RUN   native on the default tier'
	$(Q)$(B)/assay run --backend native --tier default --database $(B)/results.db --html $(B)/report.html \
	  $(CUSTOM_CALLS:%=--custom-call %=$(B)/custom-calls.so) $(RUN)

# DOCS='--database FILE' says what backends do, too.
.PHONY: docs
docs: $(B)/assay  ## write the specification as a site: build/docs/index.html
	$(Q)$(B)/assay doc --site $(B)/docs $(DOCS)

# V=1 shows each check; TEST_JOBS=N runs N test files at a time (2, or 1 where
# there is one processor).
TEST_JOBS := $(if $(filter-out 1,$(shell nproc 2>/dev/null)),2)
# SkipHarness.pm names what failed or was skipped.
PROVE = PERL5LIB=tools/test$${PERL5LIB:+:$$PERL5LIB} prove --harness SkipHarness $(if $(V),-v) $(TEST_JOBS:%=-j %) -e ''
test: all $(TEST_PLUGINS) $(TESTS) $(B)/tools/checks/check_kernel $(REPLAYS) $(B)/.test-deps check-headers check-symbols check-layers check-style check-format check-generated  ## run all tests
	$(Q)SKIPPED="$$([ -e $(B)/.format ] || echo 'check-format: needs clang-format $(CLANG_FORMAT)')" \
	  $(SAN_ENV) ASSAY=$(B)/assay B=$(B) $(PROVE) $(TESTS) $(REPLAYS) $(TEST_T)

# Long checks: the fuzzers (clang and libFuzzer), the sanitizers, valgrind,
# mutation of the judge.
FUZZ_SECONDS ?= 60
FUZZ_FLAGS   := -g -fsanitize=fuzzer,address,undefined
MUTATE_SECONDS ?= 600
LONG_DEPS    := clang libclang-rt-14-dev valgrind
.PHONY: check-sandbox check-slurm check-cgroup check-container check-long check-mutants check-load fuzz check-seeds check-random check-valgrind check-threads run-threads
check-long: all  ## an hour of fuzzing, sanitizers, valgrind, mutation; prints what was counted
	$(Q)tools/checks/check-long $(B) 'test V=1 TEST_JOBS=2' check-random check-seeds 'fuzz FUZZ_SECONDS=$(FUZZ_SECONDS)' \
	  check-valgrind check-threads check-load 'test SAN=address,undefined B=$(B)/address-undefined TEST_JOBS=2' \
	  check-faults 'check-mutants MUTATE_SECONDS=$(MUTATE_SECONDS)'
.PHONY: check-faults
check-faults: all  ## plant each fault of runner/backends/faulty: the default tier must catch 97 % (15 minutes)
	$(Q)tools/checks/faults --assay $(B)/assay --backend $(B)/backends/faulty.so --native $(B)/backends/native.so --functions $(B)/custom-calls.so --operations 0 --require 97
check-mutants: all $(TESTS)  ## mutate the judge: its tests must fail
	$(Q)tools/checks/mutate --build $(B) --seconds $(MUTATE_SECONDS) --require 80
check-sandbox: all  ## what the sandbox keeps out, attempt by attempt (as root: as a user, too)
	$(Q)tools/checks/check-sandbox $(B)
check-slurm: all  ## a run as a job array of a real Slurm, with kills, equals an unsplit one (as root)
	$(Q)tools/install-deps slurmctld slurmd slurm-client slurm-wlm-basic-plugins
	$(Q)tools/checks/check-slurm $(B)/assay
check-cgroup: all  ## memory limits in the control groups of a user-mode Linux (as root)
	$(Q)tools/install-deps user-mode-linux
	$(Q)tools/checks/check-cgroup $(B)
check-container: all  ## build the image of tools/ci/Containerfile and run it, with a builder or debootstrap
	$(Q)ASSAY=$(B)/assay ASSAY_CONTAINER=1 tools/test/container.t
check-load: all  ## native's verdicts under load, and after being stopped
	$(Q)tools/checks/check-load $(B)/assay
$(B)/.long-deps: tools/install-deps
	$(Q)mkdir -p $(@D) && tools/install-deps $(LONG_DEPS) && touch $@
fuzz: $(B)/.long-deps  ## run each fuzzer for FUZZ_SECONDS
	$(Q)$(MAKE) B=$(B)/fuzz CC=clang CFLAGS='-g -O1' WERROR= SAN=fuzzer-no-link,address,undefined run-fuzzers
FUZZERS := $(FUZZ_SRC:%.c=$(B)/%.fuzz)
$(FUZZERS): $(B)/%.fuzz: $(B)/%.o $(APP_SRC:%.c=$(B)/%.o) $(B)/libassay.a
	@echo "  LD    $@"
	$(Q)$(CC) $(FUZZ_FLAGS) -rdynamic -o $@ $^ $(ALL_LDLIBS)
.PHONY: run-fuzzers
run-fuzzers: $(FUZZERS)
	$(Q)tools/makers/make-seeds $(B)/seeds
	$(Q)mkdir -p $(B)/found && printf '%s\n' $(FUZZERS) | xargs -P $$(nproc) -I{} sh -c ' \
	  s={}; s=$${s##*/fuzz_}; s=$${s%.fuzz}; log=$(B)/found/$$s.log; ulimit -c 0; \
	  mkdir -p $(B)/found/$$s $(B)/seeds/$$s; echo "  FUZZ  $$s" >$$log; \
	  {} -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=4096 \
	    -verbosity=0 -print_final_stats=1 -artifact_prefix=$(B)/found/ \
	    -dict=$(B)/seeds/dictionary \
	    $(B)/found/$$s interp/test/corpus/$$s $(B)/seeds/$$s >>$$log 2>&1; \
	  code=$$?; cat $$log; exit $$code'
# What the seeds do not reach the fuzzer rarely does.
SEEDS_PERCENT := 90
check-seeds: tools/makers/make-seeds  ## the fuzzer's seeds reach the functions of interp/ops
	$(Q)rm -rf $(B)/seeds && tools/makers/make-seeds $(B)/seeds
	$(Q)$(MAKE) B=$(B)/cov COV=1 $(B)/cov/interp/test/fuzz_case
	$(Q)find $(B)/cov -name '*.gcda' -delete
	$(Q)$(B)/cov/interp/test/fuzz_case $(B)/seeds/case | grep -v '^ok' || true
	$(Q)tools/checks/check-reached $(B)/cov/interp/ops $(SEEDS_PERCENT)
# The tests draw more with ASSAY_LONG or ASSAY_TEST_LONG; ASSAY_SAMPLES counts.
# SEED=N draws other programs and inputs.
SAMPLES ?= 3000
FORMS ?= 10000
SEED ?=
check-random: all $(TESTS) $(B)/.test-deps  ## independent models, NumPy, SciPy, mpmath: SAMPLES=3000 programs each, FORMS=10000 formed ones, others with SEED=N
	$(Q)$(if $(SEED),ASSAY_SEED=$(SEED)) ASSAY=$(B)/assay B=$(B) ASSAY_LONG=1 ASSAY_TEST_LONG=1 ASSAY_SAMPLES=$(SAMPLES) FORMS=$(FORMS) $(PROVE) -j $$(nproc) $(filter $(B)/interp/%,$(TESTS)) $(wildcard interp/test/*.t) tools/test/numpy.t tools/test/control.t tools/test/flint.t tools/test/trees.t tools/test/corners.t tools/test/kernel.t tools/test/decided.t tools/test/decomposed.t tools/test/steep.t tools/test/relations.t tools/test/enumerated.t tools/test/reductions.t tools/test/scaled.t tools/test/simulated.t tools/test/transforms.t tools/test/encoder.t tools/test/moved.t \
	  tools/test/contradicted.t tools/test/mutated.t tools/test/orders.t tools/test/power.t tools/test/remarks.t tools/test/called.t tools/test/forms.t runner/test/slow.t runner/test/sweep-slow.t
check-threads:  ## the library in eight threads, under the thread sanitizer
	$(Q)$(MAKE) SAN=thread B=$(B)/thread run-threads
run-threads: $(B)/interp/test/test_threads
	$(Q)$<
check-valgrind: $(TESTS) $(B)/.long-deps  ## the unit tests under valgrind
	$(Q)printf '%s\n' $(filter $(B)/interp/%,$(TESTS)) | xargs -P $$(nproc) -I{} sh -c \
	  'echo "  VALGRIND {}"; valgrind -q --error-exitcode=9 --leak-check=full {} >/dev/null'

# Not part of any build: the inputs that it finds are in cases/.
HARD_SECONDS ?= 60
.PHONY: hard-cases
hard-cases:  ## search for inputs that are hard to round (HARD_SECONDS=60 a function and type)
	@mkdir -p $(B)/tools
	$(CC) $(filter-out --coverage,$(ALL_CFLAGS)) -o $(B)/tools/hard_search tools/hard_search.c -lmpfr -lgmp -lm
	$(B)/tools/hard_search cases $(HARD_SECONDS)

# ---- Checks -------------------------------------------------------------------

HEADERS = $(wildcard interp/*/*.h runner/*.h $(addsuffix /*.h,$(addprefix runner/,plugin plan store process)) report/*.h report/doc/*.h $(addsuffix /*.h,$(addprefix tools/,verbs checks benches)))
.PHONY: check-headers
check-headers: | $(B)/.deps $(B)/gen/ops.def $(B)/gen/.names  ## each header compiles alone; the ABI has no padding
	$(Q)for h in $(HEADERS); do \
	  echo "#include \"$$h\"" | $(CC) $(filter-out --coverage,$(ALL_CFLAGS)) -fsyntax-only -xc - || exit; done
	$(Q)for h in $(notdir $(wildcard spec/assay/*.h)) $(patsubst spec/assay/%,%,$(wildcard spec/assay/ext/*.h)); do \
	  for std in c99 c11 c17; do echo "#include <assay/$$h>" | \
	  $(CC) -std=$$std -Wall -Wextra -Wpedantic -Wpadded -Werror -Ispec -fsyntax-only -xc - || exit; done; done

# foo.c defines foo or foo_*; interp/ops/Foo.c defines only op_Foo.
.PHONY: check-symbols
check-symbols: $(LIB_SRC:%.c=$(B)/%.o) $(APP_SRC:%.c=$(B)/%.o)  ## external names begin with the name of their file
	$(Q)for o in $^; do s=$$(basename $$o .o); \
	  case $$o in */interp/ops/[A-Z]*) want="op_$$s";; *) want="$$s|$${s}_.*";; esac; \
	  nm -g --defined-only $$o | awk -v o=$$o -v want="^($$want)$$" \
	    '$$3 !~ want && $$3 !~ /^__|^\./ { print o ": stray symbol " $$3; bad = 1 } END { exit bad }' || exit; done

.PHONY: check-layers
check-layers: | $(B)/.test-deps  ## no folder includes one of a higher layer
	$(Q)tools/checks/check-layers

.PHONY: check-generated
check-generated: | $(B)/.test-deps  ## generated case files are what their generators write
	$(Q)tools/checks/check-generated

# The bounds of the kernels (spec/kernels.md): proved, and compared with MPFR.
.PHONY: check-kernels check-exhaustive
check-kernels: | $(B)/.test-deps  ## prove the bound of every kernel of interp/fast, from its source
	$(Q)tools/checks/check-kernels
check-exhaustive: $(B)/tools/checks/check_kernel  ## every f32 input of KERNELS='Exp Sqrt', or of all that lack it; a minute each, resumable
	$(Q)nice -n 19 tools/checks/check-exhaustive $(B) $(KERNELS)

.PHONY: check-style format check-format
check-style: | $(B)/.test-deps  ## banned functions and phrases, long files and functions
	$(Q)tools/checks/check-style
	$(Q)tools/checks/check-functions $(FILES)
# Readers are laid out by hand, to be short.
FILES = $(filter-out tools/readers/%,$(wildcard $(shell git ls-files '*.[ch]' 2>/dev/null)))
format:  ## rewrite the sources in the house style
	$(Q)clang-format -i $(FILES)
check-format: $(B)/.format  ## fail if `make format` would change anything
# Only what has changed since the last check.  Another version of clang-format
# would lay out some lines otherwise, so it proves nothing.
CLANG_FORMAT := 14
$(B)/.format: $(FILES) .clang-format
	@mkdir -p $(@D)
	$(Q)if clang-format --version 2>/dev/null | grep -q 'version $(CLANG_FORMAT)\.'; then \
	  printf '%s\n' $(if $(filter .clang-format,$?),$(FILES),$?) | xargs -r clang-format --dry-run -Werror && touch $@; \
	else rm -f $@; echo 'check-format: skipped: needs clang-format $(CLANG_FORMAT)'; fi

.PHONY: judges widths settled
judges: all  ## what other judges of kernels let through: report/findings/judges.md, in minutes
	$(Q)B=$(B) tools/makers/make-judges
widths: all  ## how wide the sets of the gate's programs are, after make numpy: report/findings/widths.md
	$(Q)B=$(B) $(B)/numpy/bin/python tools/makers/make-widths
settled: all  ## public threads, settled: report/findings/settled.md
	$(Q)ASSAY=$(B)/assay tools/makers/make-settled

# All inputs of bf16, and a short hunt of a few functions of f64.
ATLAS_HUNTS := Exp Log Sin Tanh Pow
.PHONY: atlas
atlas: all  ## how accurate native is: build/atlas.html and .json, in minutes
	$(Q)rm -f $(B)/atlas.db $(B)/atlas.db-*
	$(Q)$(B)/assay sweep --all-unary --type bf16 --exhaustive --json \
	  --database $(B)/atlas.db >/dev/null || [ $$? -eq 1 ]
	$(Q)for f in $(ATLAS_HUNTS); do \
	  $(B)/assay hunt $$f --rounds 4 --json --database $(B)/atlas.db \
	    >/dev/null || [ $$? -eq 1 ] || exit 1; done
	$(Q)$(B)/assay atlas --format json -o $(B)/atlas.json $(B)/atlas.db
	$(Q)$(B)/assay atlas --format html -o $(B)/atlas.html $(B)/atlas.db
	@echo "$(B)/atlas.html, $(B)/atlas.json"

# ---- Speed --------------------------------------------------------------------

.PHONY: bench
bench: all $(BENCHES)  ## benchmarks, as ratios to known implementations
	$(Q)$(B)/tools/benches/bench_elementwise
	$(Q)$(B)/tools/benches/bench_kernels
	$(Q)tools/benches/bench-sweep $(B)/assay
	$(Q)$(B)/tools/benches/bench_dot
	$(Q)$(B)/tools/benches/bench_fft
	$(Q)$(B)/tools/benches/bench_runner $(B)/assay
	$(Q)$(B)/tools/benches/bench_process $(B)/assay
	$(Q)$(B)/tools/benches/bench_store
	$(Q)tools/benches/bench-commands $(B)/assay
	$(Q)tools/benches/bench-failures $(B)/assay
	$(Q)tools/benches/bench-wrong $(B)/assay $(B)/backends
	$(Q)tools/benches/bench-pjrt $(B)/assay

# ---- Installing -----------------------------------------------------------------

SHELLS := bash zsh fish
$(B)/assay.1: tools/makers/make-man $(B)/assay
	$(Q)tools/makers/make-man $(B)/assay >$@
$(B)/completion.%: tools/makers/make-completion $(B)/assay
	$(Q)tools/makers/make-completion $* $(B)/assay $(BACKENDS) >$@

# A wheel that needs nothing but Python and NumPy: with it go the libraries that
# ldd names, but for the C library's own.
WHEEL := $(B)/wheel
.PHONY: wheel
wheel: $(BUILT)  ## a wheel with the command, for pip install build/assay-*.whl
	$(Q)tools/install-deps patchelf python3 python3-venv
	$(Q)rm -rf $(WHEEL)
	$(Q)$(MAKE) --no-print-directory install DESTDIR=$(WHEEL) PREFIX=/tree V=1 >/dev/null
	$(Q)cd $(WHEEL)/tree && ldd bin/assay lib/assay/libassay.so lib/assay/backends/*.so | \
	  sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | grep -vE '/lib(c|m|dl|pthread|rt)\.so' | sort -u >../libraries
	$(Q)cd $(WHEEL)/tree && patchelf --set-rpath '$$ORIGIN/../lib/deps' bin/assay && \
	  patchelf --set-rpath '$$ORIGIN/../deps' lib/assay/libassay.so && \
	  patchelf --set-rpath '$$ORIGIN/../../deps' lib/assay/backends/*.so
	$(Q)mkdir $(WHEEL)/deps && cp -L $$(cat $(WHEEL)/libraries) $(WHEEL)/deps && \
	  patchelf --set-rpath '$$ORIGIN' $(WHEEL)/deps/* && \
	  ls -d $(WHEEL)/deps/* >$(WHEEL)/libraries
	$(Q)tools/makers/make-wheel $(WHEEL)/tree $(WHEEL)/libraries $(B)
.PHONY: audit-wheel
audit-wheel: wheel | $(B)/.pip-deps  ## fetch auditwheel, and ask it whether the wheel's platform tag is right
	$(Q)$(PYTHON) -m venv $(B)/auditwheel && $(B)/auditwheel/bin/python -m pip -q install --require-hashes --only-binary :all: -r tools/python/auditwheel.txt
	$(Q)tools/test/wheel.t

.PHONY: install uninstall
D = $(DESTDIR)$(PREFIX)
install: $(BUILT) $(B)/install/libassay.a $(B)/assay.1 $(SHELLS:%=$(B)/completion.%)  ## into DESTDIR/PREFIX
	install -d $(D)/bin $(D)/lib/pkgconfig $(D)/lib/assay/backends $(D)/share/man/man1 \
	  $(D)/share/bash-completion/completions $(D)/share/zsh/site-functions \
	  $(D)/share/fish/vendor_completions.d $(D)/share/assay
	install -m 755 $(B)/assay $(D)/bin
	install -m 644 $(B)/install/libassay.a $(D)/lib
	install -m 755 $(B)/libassay.so $(D)/lib/assay
	install -m 644 $(B)/assay.pc $(D)/lib/pkgconfig
	install -d $(D)/lib/cmake/assay
	install -m 644 tools/ci/assay-config.cmake $(B)/assay-config-version.cmake $(D)/lib/cmake/assay
	install -m 755 $(filter-out $(B)/backends/evil/% $(B)/backends/faulty.so,$(PLUGINS)) $(D)/lib/assay/backends
	install -m 644 $(wildcard $(B)/backends/*.expect) $(D)/lib/assay/backends
	install -d $(D)/include/assay/ext
	install -m 644 spec/assay/*.h $(D)/include/assay
	install -m 644 spec/assay/ext/*.h $(D)/include/assay/ext
	rm -rf $(D)/share/assay/cases
	cp -R cases $(D)/share/assay/
	chmod -R u=rwX,go=rX $(D)/share/assay/cases
	install -d $(D)/share/assay/mustpass $(D)/share/assay/readers
	install -m 644 $(wildcard tools/readers/*) $(D)/share/assay/readers
	install -m 644 $(wildcard spec/mustpass/*.txt) $(D)/share/assay/mustpass
	install -m 644 $(B)/assay.1 $(D)/share/man/man1
	install -m 644 $(B)/completion.bash $(D)/share/bash-completion/completions/assay
	install -m 644 $(B)/completion.zsh $(D)/share/zsh/site-functions/_assay
	install -m 644 $(B)/completion.fish $(D)/share/fish/vendor_completions.d/assay.fish
uninstall:
	rm -rf $(D)/include/assay $(D)/lib/assay $(D)/lib/cmake/assay $(D)/share/assay
	rm -f $(D)/bin/assay $(D)/lib/libassay.a $(D)/lib/pkgconfig/assay.pc \
	  $(D)/share/man/man1/assay.1 $(D)/share/bash-completion/completions/assay \
	  $(D)/share/zsh/site-functions/_assay $(D)/share/fish/vendor_completions.d/assay.fish

.PHONY: clean help
clean:  ## remove the build directory
	rm -rf build
help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

-include $(OBJ:.o=.d) $(wildcard $(B)/runner/backends/reference/*.d)
