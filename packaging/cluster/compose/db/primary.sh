#!/bin/bash
# Runs once, when the primary's data is made: the role by which standbys follow it, and the databases of customers.
set -euo pipefail
password=$(cat /run/secrets-db/replication.password)
psql --username postgres --dbname postgres --set ON_ERROR_STOP=1 --set password="$password" <<'SQL'
CREATE ROLE replication_bourse LOGIN REPLICATION;
ALTER ROLE replication_bourse PASSWORD :'password';
CREATE DATABASE customers;
CREATE DATABASE customer_keys;
SQL
