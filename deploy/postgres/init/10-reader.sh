#!/bin/sh
# Makes the role that the API and Grafana ask as. It may read what Shipledger makes, and only that.
# Run once, by the image, when the database is new; see deploy/README.md for an older database.
set -eu
: "${SHIPLEDGER_READER_PASSWORD:?}"
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
     --set=owner="$POSTGRES_USER" --set=database="$POSTGRES_DB" <<'SQL'
\getenv password SHIPLEDGER_READER_PASSWORD
CREATE ROLE shipledger_reader LOGIN PASSWORD :'password'
    CONNECTION LIMIT 40;
ALTER ROLE shipledger_reader SET default_transaction_read_only = on;
ALTER ROLE shipledger_reader SET statement_timeout = '30s';
GRANT CONNECT ON DATABASE :"database" TO shipledger_reader;
GRANT USAGE ON SCHEMA public TO shipledger_reader;
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public
    GRANT SELECT ON TABLES TO shipledger_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO shipledger_reader;
SQL
