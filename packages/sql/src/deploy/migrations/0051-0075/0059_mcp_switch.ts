import type { Migration } from "../../../Migrations.ts"

/** Adds whether the platform serves its MCP endpoint. */
export const mcpSwitch: Migration = {
  name: "0059_mcp_switch",
  up: [`ALTER TABLE settings ADD COLUMN is_mcp_enabled boolean NOT NULL DEFAULT false`]
}
