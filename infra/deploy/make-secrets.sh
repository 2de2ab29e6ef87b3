#!/bin/sh
# Writes .env and secrets/ beside docker-compose.yml: random passwords and a self-signed certificate for the edge. What is there stays.
set -eu
cd "$(dirname "$0")"
umask 077
hex() { openssl rand -hex 24; }
if [ ! -e .env ]; then
  while IFS= read -r line; do
    case "$line" in
      KAFKA_CLUSTER_ID=) printf '%s%s\n' "$line" "$(openssl rand -base64 16 | tr '+/' '-_' | tr -d '=')" ;;
      *_PASSWORD= | *_SECRET= | *_TOKEN=) printf '%s%s\n' "$line" "$(hex)" ;;
      *) printf '%s\n' "$line" ;;
    esac
  done <env.example >.env.new
  mv .env.new .env
fi
mkdir -p secrets
# Containers read these as users of their own: the folder keeps others out, the files do not.
chmod 711 secrets
umask 022
[ -e secrets/grafana_password ] || hex >secrets/grafana_password
# For Prometheus, the one that .env tells our processes.
sed -n 's/^METRICS_TOKEN=//p' .env >secrets/metrics_token
if [ ! -e secrets/edge.pem ]; then
  openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj "/CN=${1:-localhost}" -addext "subjectAltName=DNS:${1:-localhost}" \
    -keyout secrets/edge.key -out secrets/edge.crt 2>/dev/null
  cat secrets/edge.crt secrets/edge.key >secrets/edge.pem
  rm secrets/edge.key secrets/edge.crt
fi
