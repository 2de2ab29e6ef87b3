#!/bin/sh
# Brings the jars of a Kafka broker into the folder that is named, unless they are there; for tests and trials, not for production.
# Needs Maven and Java 17. Usage: infra/scripts/get-kafka.sh <folder>
set -eu
version=4.1.1
folder="$1"
if [ -f "$folder/.complete-$version" ]; then exit 0; fi
mkdir -p "$folder"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cat >"$work/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>logeye</groupId>
  <artifactId>kafka-libs</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>$version</version>
    </dependency>
  </dependencies>
</project>
POM
mvn -q -B -f "$work/pom.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$folder"
touch "$folder/.complete-$version"
