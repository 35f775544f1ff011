import type { SettingRow, SettingRows } from "@slipway/http/node"
import { settingRows as deployRows } from "../../apps/deploy/src/help.ts"
import { settingRows as forgeRows } from "../../apps/forge/src/help.ts"
import { cell, generated } from "./markdown.ts"

const secrecy = ({ secret }: SettingRow): string =>
  secret === "all" ? "yes" : secret === "address" ? "the credentials in it" : ""

const table = (rows: SettingRows): string =>
  [
    "| variable | meaning | default | secret |",
    "|---|---|---|---|",
    ...Object.entries(rows).map(
      ([name, row]) =>
        `| \`${name}\` | ${cell(row.meaning)} | ${row.unlessSet === undefined ? "" : `\`${row.unlessSet}\``} | ${secrecy(row)} |`
    )
  ].join("\n")

const without = (rows: SettingRows, others: SettingRows): SettingRows =>
  Object.fromEntries(Object.entries(rows).filter(([name]) => !(name in others)))

/** Returns the page of all settings. */
export const settingsPage = (): string => {
  const shared = Object.fromEntries(Object.entries(forgeRows).filter(([name]) => name in deployRows))
  return `# Settings

This page lists the settings of both services, with meaning and default.

${generated}

Settings are environment variables. An empty variable counts as unset. If a variable is invalid, the service exits with code 1. \`npx slipway config\` prints each setting
with its value, source and default. It hides secrets and reports misspelled variables.

## Both services

${table(shared)}
| \`SLIPWAY_PROFILE\` | flags of the JavaScript engine V8: \`small\` saves memory, \`server\` needs less CPU ([operations](../guides/operations.md#memory-profiles)) | \`small\` | |
| \`OTEL_EXPORTER_OTLP_ENDPOINT\` | address of the OpenTelemetry collector that receives traces; the other standard variables of OpenTelemetry also work ([observability](../guides/observability.md#traces)) | | |

## Forge

${table(without(forgeRows, shared))}

## Deploy

${table(without(deployRows, shared))}
`
}
