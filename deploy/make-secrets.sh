#!/bin/sh
# Makes the secrets of an installation of several processes: passwords, certificates of NATS, SECRET_KEY, keys of probes.
#   deploy/make-secrets.sh FOLDER HUB "REGION…" "FAR-REGION…"
# HUB is the name that leaf nodes of far regions find the hub by. What is there already stays: run it again after adding
# a region. TOCSIN is a command that runs Tocsin's command line here with the environment it gets, by default the image;
# POSTGRES and NATS are the hosts that the processes find these servers by, as in compose.cluster.yaml by default.
set -eu
umask 077
if [ $# -ne 4 ]; then
  sed -n '2,6s/^# *//p' "$0" >&2
  exit 2
fi
folder=$1 hub=$2 regions=$3 far=$4
postgres=${POSTGRES:-postgres} nats=${NATS:-nats}
mkdir -p "$folder/hub"
here=$(pwd)
cd "$folder"
trap 'rm -f ./*.draft ./*/*.csr ./*/*.ext' EXIT

# quietly COMMAND…: shows what it says only if it fails.
quietly() {
  said=$("$@" 2>&1) || { printf '%s failed:\n%s\n' "$1" "$said" >&2; return 1; }
}

# key_of REGION: its key, without what npm says before it.
key_of() {
  said=$(cd "$here" && SECRET_KEY=$(cat "$OLDPWD/secret_key") REGIONS=$(echo "$regions" | tr ' ' ',') \
    ${TOCSIN:-docker run --rm -e SECRET_KEY -e REGIONS tocsin tocsin} probe key "$1" 2>&1) || said="$said
(exit status $?)"
  printf '%s\n' "$said" | grep -x "$1\.[A-Za-z0-9_-]*" || {
    printf 'The key of the region %s could not be printed. In %s, this said:\n%s probe key %s\n%s\n' \
      "$1" "$here" "${TOCSIN:-docker run … tocsin tocsin}" "$1" "$said" >&2
    return 1
  }
}

password() {
  openssl rand -hex 24
}

# keep FILE: stores its input, unless there is such a file.
keep() {
  if [ -e "$1" ]; then cat >/dev/null; else cat >"$1"; fi
}

# password_of NAME: the password of that user of NATS.
password_of() {
  touch hub/secrets.conf
  grep -q "^$1_password:" hub/secrets.conf || printf '%s_password: "%s"\n' "$1" "$(password)" >>hub/secrets.conf
  sed -n "s/^$1_password: \"\(.*\)\"$/\1/p" hub/secrets.conf
}

# certify NAME EXTENSIONS: a key and a certificate of our own authority.
certify() {
  [ -e "$1.pem" ] && return
  quietly openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=$hub"
  printf '%s\n' "$2" >"$1.ext"
  quietly openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -days 3650 -extfile "$1.ext" -out "$1.pem"
}

if [ ! -e ca.pem ]; then
  quietly openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -days 3650 \
    -subj "/CN=Tocsin NATS"
fi
cp ca.pem hub/ca.pem
# An address needs another kind of name than a host.
case $hub in
  *[!0-9.]*) name=DNS:$hub ;;
  *) name=IP:$hub ;;
esac
certify hub/hub "subjectAltName=$name,DNS:nats
extendedKeyUsage=serverAuth"

grep -qs '^hub_address:' hub/secrets.conf || printf 'hub_address: "%s:7422"\n' "$hub" >>hub/secrets.conf

openssl rand -base64 32 | keep secret_key
password | keep postgres_password
printf 'postgres://tocsin:%s@%s/tocsin\n' "$(cat postgres_password)" "$postgres" | keep database_url
password | keep metrics_token
password | keep admin_password
printf 'nats://server:%s@%s:4222\n' "$(password_of server)" "$nats" | keep nats_url_server

for region in $regions; do
  printf 'nats://%s:%s@%s:4222\n' "$region" "$(password_of "$region")" "$nats" | keep "nats_url_$region"
  if [ ! -e "probe_key_$region" ]; then
    key_of "$region" >"probe_key_$region.draft"
    mv "probe_key_$region.draft" "probe_key_$region"
  fi
done

for region in $far; do
  mkdir -p "leaf-$region"
  cp ca.pem "leaf-$region/ca.pem"
  certify "leaf-$region/leaf" "extendedKeyUsage=clientAuth"
  printf '%s_password: "%s"\nhub_url: "tls://%s:%s@%s:7422"\n' "$region" "$(password_of "$region")" "$region" \
    "$(password_of "$region")" "$hub" | keep "leaf-$region/secrets.conf"
  printf 'nats://%s:%s@nats-%s:4222\n' "$region" "$(password_of "$region")" "$region" >"nats_url_$region"
done

# Containers read them as other users than the one that made them; nobody else enters the folder.
chmod -R a+rX .
chmod 0700 .
chmod 0600 ca.key
