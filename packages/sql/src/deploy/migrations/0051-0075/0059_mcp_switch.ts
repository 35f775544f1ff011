import type { Migration } from "../../../Migrations.ts"

/** Adds the setting that enables the MCP (Model Context Protocol) endpoint of the platform. */
export const mcpSwitch: Migration = {
  name: "0059_mcp_switch",
  up: [`ALTER TABLE settings ADD COLUMN is_mcp_enabled boolean NOT NULL DEFAULT false`]
}
