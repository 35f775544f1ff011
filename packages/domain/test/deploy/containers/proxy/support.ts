import { type Configuration, fields, plainFields } from "@slipway/domain/deploy/apps"

/** A configuration with defaults for all other fields. */
export const configurationOf = (facts: Partial<Configuration>): Configuration =>
  ({ ...Object.fromEntries(plainFields.map((name) => [name, fields[name].unset])), ...facts }) as Configuration
