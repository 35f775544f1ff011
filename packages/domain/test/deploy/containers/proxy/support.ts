import { type Configuration, fields, plainFields } from "@slipway/domain/deploy/apps"

/** A configuration with the defaults of everything that isn't said. */
export const configurationOf = (facts: Partial<Configuration>): Configuration =>
  ({ ...Object.fromEntries(plainFields.map((name) => [name, fields[name].unset])), ...facts }) as Configuration
