import { access } from "./access.ts"
import { account } from "./account.ts"
import { code } from "./code.ts"
import { errors, forms, layout, words } from "./common.ts"
import { issues } from "./issues.ts"
import { organizations } from "./organizations.ts"
import { releases } from "./releases.ts"
import { session } from "./session.ts"
import { settings } from "./settings.ts"
import { start } from "./start.ts"

/** The English catalog: one object per area, each in a separate file. */
export const en = {
  access,
  account,
  code,
  errors,
  forms,
  issues,
  layout,
  organizations,
  releases,
  session,
  settings,
  start,
  words
}
