import type { Migration } from "../../../Migrations.ts"

/** Creates the table of SSH host keys of git hosts. */
export const repositoryHostKeys: Migration = {
  name: "0018_repository_host_keys",
  up: [
    `CREATE TABLE repository_host_key (
      address text COLLATE "C" PRIMARY KEY,
      fingerprint text NOT NULL
    )`
  ]
}
