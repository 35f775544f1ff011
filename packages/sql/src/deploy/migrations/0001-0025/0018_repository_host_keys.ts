import type { Migration } from "../../../Migrations.ts"

/** Makes the table of the SSH host keys of machines that repositories are fetched from. */
export const repositoryHostKeys: Migration = {
  name: "0018_repository_host_keys",
  up: [
    `CREATE TABLE repository_host_key (
      address text COLLATE "C" PRIMARY KEY,
      fingerprint text NOT NULL
    )`
  ]
}
