/** Container ports that `ports` never makes public. */

const table: ReadonlyArray<readonly [string, ReadonlyArray<number>]> = [
  ['MySQL', [3306]],
  ['OracleDB', [1521, 1830]],
  ['PostgreSQL', [5432]],
  ['SQL Server', [1433, 1434]],
  ['MaxDB', [7210]],
  ['Neo4j', [7473]],
  ['ArangoDB', [8529]],
  ['Cassandra', [7000, 7001, 9042]],
  ['InfluxDB', [8086]],
  ['Elasticsearch', [9200, 9300]],
  ['CouchDB', [5984]],
  ['MongoDB', [27017, 27018, 27019, 28017]],
  ['Redis', [6379]],
  ['Riak', [8087, 8088]],
  ['RethinkDB', [28015, 29015]],
  ['Solr', [7574, 8983]],
  ['Go debuggers', [2345]],
  ['Node debuggers', [5858, 9229]],
  ['Java debuggers', [5005]],
  ['Ruby debuggers', [1234]],
  ['Python debuggers', [4444, 5678]],
]

/** The port numbers of the table, with the program they belong to. */
export const privatePorts: ReadonlyMap<number, string> = new Map(
  table.flatMap(([program, ports]) => ports.map((port): [number, string] => [port, program])),
)
