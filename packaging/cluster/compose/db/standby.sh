#!/bin/bash
# A standby of db-primary under STANDBY_NAME: copies its data at the first start, and follows it.
set -euo pipefail
export PGPASSWORD=$(cat /run/secrets-db/replication.password)
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -d -m 0700 -o postgres -g postgres "$PGDATA"
  connection="host=db-primary user=replication_bourse sslmode=verify-full sslrootcert=/run/secrets-db/ca.pem application_name=$STANDBY_NAME"
  until gosu postgres pg_basebackup --pgdata="$PGDATA" --dbname="$connection" --wal-method=stream --write-recovery-conf; do
    rm -rf "${PGDATA:?}"/*
    sleep 2
  done
fi
exec gosu postgres postgres -c cluster_name="$STANDBY_NAME" -c ssl=on -c ssl_cert_file=/run/secrets-db/db.pem \
  -c ssl_key_file=/run/secrets-db/db.key -c hba_file=/etc/bourse-db/pg_hba.conf -c wal_level=replica -c synchronous_commit=on \
  -c wal_keep_size=1GB
