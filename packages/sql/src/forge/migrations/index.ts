import type { Migration } from "../../Migrations.ts"
import { accounts } from "./0001_accounts.ts"
import { credentials } from "./0002_credentials.ts"

/** The schema of the code hosting service, step by step. */
export const migrations: ReadonlyArray<Migration> = [accounts, credentials]
