import type { Migration } from "../../../Migrations.ts"

/** Adds the configuration of the proxies of servers. */
export const proxyConfiguration: Migration = {
  name: "0065_proxy_configuration",
  up: ["ALTER TABLE server ADD COLUMN proxy_configuration text"]
}
