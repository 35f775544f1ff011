import { access } from "./access.ts"
import { account } from "./account.ts"
import { activity } from "./activity.ts"
import { admin } from "./admin.ts"
import { automation } from "./automation.ts"
import { code } from "./code.ts"
import { codeSearch } from "./codeSearch.ts"
import { errors, forms, layout, words } from "./common.ts"
import { deployments } from "./deployments.ts"
import { editing } from "./editing.ts"
import { environments } from "./environments.ts"
import { files } from "./files.ts"
import { issues } from "./issues.ts"
import { mirrors } from "./mirrors.ts"
import { organizations } from "./organizations.ts"
import { ownerSettings } from "./ownerSettings.ts"
import { packages } from "./packages.ts"
import { releases } from "./releases.ts"
import { review } from "./review.ts"
import { session } from "./session.ts"
import { settings } from "./settings.ts"
import { start } from "./start.ts"
import { wiki } from "./wiki.ts"
import { work } from "./work.ts"

/** The English catalog: one object per area, each in a separate file. */
export const en = {
  access,
  account,
  activity,
  admin,
  automation,
  code,
  codeSearch,
  deployments,
  editing,
  environments,
  errors,
  files,
  forms,
  issues,
  layout,
  mirrors,
  organizations,
  ownerSettings,
  packages,
  releases,
  review,
  session,
  settings,
  start,
  wiki,
  words,
  work
}
