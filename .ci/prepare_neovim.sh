#!/bin/sh
# See to it that Neovim is there: `make test` drives the server with its built-in client.
# On Debian, as root, it is installed; anywhere else its absence is an error that says what to do.
set -eu
command -v nvim >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends neovim
fi
if ! command -v nvim >/dev/null 2>&1; then
  echo "error: Neovim (nvim) is not installed; install it (on Debian: apt-get install neovim), or leave its checks out with: make test NEOVIM=skip" >&2
  exit 1
fi
