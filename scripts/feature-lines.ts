/**
 * Checks how much code a feature takes: the labels of organizations, and a new field of an organization.
 *
 *   npm run feature-lines                 counts lines and files
 *   npm run feature-lines -- --execute    also adds the field to a copy of the sources and runs its tests
 */
import { filesAfter, passWith, sizeOf } from "./feature-lines/changes.ts"
import { labelsAreShort } from "./feature-lines/labels.ts"
import {
  organizationField,
  organizationFieldLimits,
  organizationFieldTests
} from "./feature-lines/organizationField.ts"

const { files, lines } = sizeOf(organizationField)
// The lines next to the change must exist.
filesAfter(organizationField)
process.stdout.write(
  `${lines} lines in ${files} files for a field of an organization (at most ${organizationFieldLimits.lines} in ${organizationFieldLimits.files})\n`
)
const isShort = lines <= organizationFieldLimits.lines && files <= organizationFieldLimits.files
const isWhole = !process.argv.includes("--execute") || passWith(organizationField, organizationFieldTests)
if (!isWhole) process.stderr.write("the tests of the new field failed: see the output above\n")
process.exitCode = labelsAreShort() && isShort && isWhole ? 0 : 1
