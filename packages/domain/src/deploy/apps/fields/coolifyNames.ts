import { type FieldName, fields } from "./table.ts"

/** The additional field names that Coolify clients use, each with the field name of the specification. */
export const coolifyNames = {
  github_app_uuid: "forge_app_uuid",
  manual_webhook_secret_github: "manual_webhook_secret_forgeA",
  manual_webhook_secret_gitlab: "manual_webhook_secret_forgeB",
  manual_webhook_secret_bitbucket: "manual_webhook_secret_forgeC",
  manual_webhook_secret_gitea: "manual_webhook_secret_forgeD"
} as const satisfies Readonly<Record<string, FieldName>>
/** A field name that Coolify clients use in addition to those of the specification. */
export type CoolifyName = keyof typeof coolifyNames

/** All additional field names of Coolify clients, in order. */
export const allCoolifyNames = Object.keys(coolifyNames) as ReadonlyArray<CoolifyName>

const isCoolifyName = (name: string): name is CoolifyName => Object.hasOwn(coolifyNames, name)

/** Returns the field for a name in a request, which may be a Coolify name; undefined for an unknown name. */
export const fieldNamed = (name: string): FieldName | undefined =>
  isCoolifyName(name) ? coolifyNames[name] : Object.hasOwn(fields, name) ? (name as FieldName) : undefined
