#!/bin/bash
# Builds zstd.wasm: `build.sh FOLDER`, with the unpacked source of Debian's libzstd 1.5.7+dfsg-1 (`apt-get source libzstd`).
# Needs Debian 12's clang 14, lld, libclang-rt-dev-wasm32 and wasi-libc, which give the committed file byte by byte.
set -euo pipefail
library="$1/lib"
here=$(dirname "$(readlink -f "$0")")

exports=(
  ZSTD_isError ZSTD_compressBound ZSTD_createCCtx ZSTD_compressCCtx
  ZSTD_createDCtx ZSTD_getFrameContentSize ZSTD_decompressDCtx malloc free
)
defines=(
  NDEBUG ZSTD_DISABLE_ASM=1 ZSTD_LEGACY_SUPPORT=0 ZSTD_STRIP_ERROR_STRINGS=1
  # Only of levels that are not used.
  ZSTD_EXCLUDE_BTLAZY2_BLOCK_COMPRESSOR ZSTD_EXCLUDE_BTOPT_BLOCK_COMPRESSOR ZSTD_EXCLUDE_BTULTRA_BLOCK_COMPRESSOR
)
mapfile -t sources < <(
  ls "$library"/common/*.c "$library"/compress/*.c "$library"/decompress/*.c | grep -v -e zstdmt -e /pool.c -e /threading.c
)

# The stack lies first, so that an overflow traps instead of writing into data. Chunks have at most 4 MiB, for which the highest
# level needs less than half of the 64 MiB.
clang --target=wasm32-wasi -mexec-model=reactor -O2 "${defines[@]/#/-D}" -I"$library" -I"$library/common" "${sources[@]}" \
  -Wl,--stack-first -Wl,-z,stack-size=262144 -Wl,--max-memory=67108864 -Wl,--strip-all \
  "${exports[@]/#/-Wl,--export=}" -o "$here/zstd.wasm"
chmod 644 "$here/zstd.wasm"
