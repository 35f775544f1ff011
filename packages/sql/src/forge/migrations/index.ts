import type { Migration } from "../../Migrations.ts"
import { accounts } from "./0001-0025/0001_accounts.ts"
import { credentials } from "./0001-0025/0002_credentials.ts"
import { organizations } from "./0001-0025/0003_organizations.ts"
import { jobs } from "./0001-0025/0004_jobs.ts"
import { events } from "./0001-0025/0005_events.ts"
import { issues } from "./0001-0025/0006_issues.ts"
import { attachments } from "./0001-0025/0007_attachments.ts"
import { git } from "./0001-0025/0008_git.ts"
import { keyCheck } from "./0001-0025/0009_key_check.ts"
import { preferences } from "./0001-0025/0010_preferences.ts"
import { pulls } from "./0001-0025/0011_pulls.ts"
import { statuses } from "./0001-0025/0012_statuses.ts"
import { gpgKeys } from "./0001-0025/0013_gpg_keys.ts"
import { hooks } from "./0001-0025/0014_hooks.ts"
import { oauth2 } from "./0001-0025/0015_oauth2.ts"
import { interests } from "./0001-0025/0016_interests.ts"
import { reactionsAndTimes } from "./0001-0025/0017_reactions_and_times.ts"
import { notifications } from "./0001-0025/0018_notifications.ts"
import { releases } from "./0001-0025/0019_releases.ts"
import { lists } from "./0001-0025/0020_lists.ts"
import { topics } from "./0001-0025/0021_topics.ts"
import { profiles } from "./0001-0025/0022_profiles.ts"
import { tasks } from "./0001-0025/0023_tasks.ts"
import { objectFormat } from "./0001-0025/0024_object_format.ts"
import { attachedThings } from "./0001-0025/0025_attached_things.ts"
import { descriptions } from "./0026-0050/0026_descriptions.ts"
import { sortedRepositories } from "./0026-0050/0027_sorted_repositories.ts"
import { openid } from "./0026-0050/0028_openid.ts"
import { forks } from "./0026-0050/0029_forks.ts"
import { mirrors } from "./0026-0050/0030_mirrors.ts"
import { badges } from "./0026-0050/0031_badges.ts"
import { copies } from "./0026-0050/0032_copies.ts"
import { identities } from "./0026-0050/0033_identities.ts"
import { gitHooks } from "./0026-0050/0034_git_hooks.ts"
import { ownedCredentials } from "./0026-0050/0035_owned_credentials.ts"
import { commonTexts } from "./0026-0050/0036_common_texts.ts"
import { issueOrders } from "./0026-0050/0037_issue_orders.ts"
import { spentSignatures } from "./0026-0050/0038_spent_signatures.ts"
import { copiedFiles } from "./0026-0050/0039_copied_files.ts"
import { pushSize } from "./0026-0050/0040_push_size.ts"
import { headBranchLenders } from "./0026-0050/0041_lenders.ts"
import { eventRetention } from "./0026-0050/0042_event_retention.ts"
import { links } from "./0026-0050/0043_links.ts"
import { countedPeople } from "./0026-0050/0044_counted_people.ts"
import { walkedLists } from "./0026-0050/0045_walked_lists.ts"
import { requestCounts } from "./0026-0050/0046_request_counts.ts"
import { ownedEmails } from "./0026-0050/0047_owned_emails.ts"
import { flatLists } from "./0026-0050/0048_flat_lists.ts"
import { walkedBlocks } from "./0026-0050/0049_walked_blocks.ts"
import { largeOwners } from "./0026-0050/0050_large_owners.ts"
import { walkedMemberships } from "./0051-0075/0051_walked_memberships.ts"
import { listedIssues } from "./0051-0075/0052_listed_issues.ts"
import { largeFeeds } from "./0051-0075/0053_large_feeds.ts"
import { packages } from "./0051-0075/0054_packages.ts"
import { runners } from "./0051-0075/0055_runners.ts"
import { workflows } from "./0051-0075/0056_workflows.ts"
import { jobTokens } from "./0051-0075/0057_job_tokens.ts"
import { artifacts } from "./0051-0075/0058_artifacts.ts"
import { workflowManners } from "./0051-0075/0059_workflow_manners.ts"
import { makersAndTypes } from "./0051-0075/0060_makers_and_types.ts"
import { containers } from "./0051-0075/0061_containers.ts"
import { workflowApproval } from "./0051-0075/0062_workflow_approval.ts"
import { openMatrices } from "./0051-0075/0063_open_matrices.ts"
import { runsOfRuns } from "./0051-0075/0064_runs_of_runs.ts"
import { emailLanes } from "./0051-0075/0065_letters.ts"
import { scheduleTimezones } from "./0051-0075/0066_schedule_timezones.ts"
import { eventSnapshots } from "./0051-0075/0067_event_snapshots.ts"
import { milestoneCounts } from "./0051-0075/0068_milestone_counts.ts"
import { pushedPulls } from "./0051-0075/0069_pushed_pulls.ts"
import { feedUnits } from "./0051-0075/0070_feed_units.ts"
import { deployments } from "./0051-0075/0071_deployments.ts"
import { environmentProtection } from "./0051-0075/0072_environment_protection.ts"
import { fullNames } from "./0051-0075/0073_full_names.ts"
import { awaitedApprovals } from "./0051-0075/0074_awaited_approvals.ts"
import { environmentPatternsTable } from "./0051-0075/0075_environment_patterns.ts"
import { jobNames } from "./0076-0100/0076_job_names.ts"
import { oneTimeMirrors } from "./0076-0100/0077_one_time_mirrors.ts"
import { clientSecretRotation } from "./0076-0100/0078_client_secret_rotation.ts"
import { codeSearch } from "./0076-0100/0079_code_search.ts"

/** The migrations of the forge, in order. */
export const migrations: ReadonlyArray<Migration> = [
  accounts,
  credentials,
  organizations,
  jobs,
  events,
  issues,
  attachments,
  git,
  keyCheck,
  preferences,
  pulls,
  statuses,
  gpgKeys,
  hooks,
  oauth2,
  interests,
  reactionsAndTimes,
  notifications,
  releases,
  lists,
  topics,
  profiles,
  tasks,
  objectFormat,
  attachedThings,
  descriptions,
  sortedRepositories,
  openid,
  forks,
  mirrors,
  badges,
  copies,
  identities,
  gitHooks,
  ownedCredentials,
  commonTexts,
  issueOrders,
  spentSignatures,
  copiedFiles,
  pushSize,
  headBranchLenders,
  eventRetention,
  links,
  countedPeople,
  walkedLists,
  requestCounts,
  ownedEmails,
  flatLists,
  walkedBlocks,
  largeOwners,
  walkedMemberships,
  listedIssues,
  largeFeeds,
  packages,
  runners,
  workflows,
  jobTokens,
  artifacts,
  workflowManners,
  makersAndTypes,
  containers,
  workflowApproval,
  openMatrices,
  runsOfRuns,
  emailLanes,
  scheduleTimezones,
  eventSnapshots,
  milestoneCounts,
  pushedPulls,
  feedUnits,
  deployments,
  environmentProtection,
  fullNames,
  awaitedApprovals,
  environmentPatternsTable,
  jobNames,
  oneTimeMirrors,
  clientSecretRotation,
  codeSearch
]
