#!/bin/sh
# Makes everything secret that compose.yaml and cluster.json name, in a directory that is not there yet. As root, the files get the
# owners that read them in the containers: 10001 for bourse, 999 for PostgreSQL, and root for the mail server.
set -eu
[ $# -eq 1 ] || { echo "usage: make-secrets.sh DIRECTORY" >&2; exit 2; }
umask 077
mkdir "$1"
cd "$1"
mkdir ca bourse db mail
days=3650

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days $days -subj "/CN=Bourse cluster" \
  -addext "basicConstraints=critical,CA:TRUE" -keyout ca/ca.key -out ca/ca.pem 2>/dev/null

# A certificate of that authority: name of the files, then the hosts that it is valid for.
certificate() {
  file=$1
  shift
  names=$(printf 'DNS:%s,' "$@")
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" -keyout "$file.key" -out ca/request.pem 2>/dev/null
  printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\n' "${names%,}" > ca/extensions
  openssl x509 -req -in ca/request.pem -CA ca/ca.pem -CAkey ca/ca.key -CAcreateserial -days $days -extfile ca/extensions -out "$file.pem" 2>/dev/null
  rm ca/request.pem ca/extensions
}
certificate db/db db-primary db-east db-west
certificate bourse/link engine-1 engine-2
certificate bourse/customers-link customers-a customers-b
certificate mail/mail mail

secret() { openssl rand -hex 32 > "$1"; }
secret bourse/link.secret
secret bourse/engine.password
secret bourse/master.key
secret bourse/customers-exchange.secret
secret bourse/customers-gateway.secret
secret bourse/customers.password
secret bourse/customer-keys.password
secret db/admin.password
secret db/replication.password
cp db/admin.password bourse/admin.password
cp ca/ca.pem bourse/ca.pem
cp ca/ca.pem db/ca.pem

if [ "$(id -u)" = 0 ]; then
  chown -R 10001:10001 bourse
  chown -R 999:999 db
else
  echo "not root: the owners are left as they are, and the containers cannot read the files" >&2
fi
echo "made in $1. Keep ca/ca.key elsewhere, and a copy of bourse/master.key apart from every backup: without it no API key can sign."
