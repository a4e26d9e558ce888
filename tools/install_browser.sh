#!/bin/sh
# Finds a browser for the report tests; as root on a Debian-like system it installs chromium. Never fails the build.

found() {
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" && return 0
  done
  return 1
}

if path=$(found); then
  echo "browser: $path"
  exit 0
fi

why="no chromium or google-chrome on PATH"
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "browser: none found, installing chromium with apt-get"
  export DEBIAN_FRONTEND=noninteractive
  if apt-get update -qq >/dev/null 2>&1 && apt-get install -y -qq chromium >/dev/null 2>&1 && path=$(found); then
    echo "browser: $path"
    exit 0
  fi
  why="$why, and apt-get could not install chromium"
fi

cat <<MESSAGE
!!!
!!! SKIPPING the tests marked "browser": $why.
!!! They open the HTML reports in a real browser.
!!! To run them, install chromium or google-chrome so that it is on PATH, then: make test
!!!
MESSAGE
