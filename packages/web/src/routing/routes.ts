import type { Page } from "../page/Page.ts"
import { accountSettingsPage } from "../pages/account/account.ts"
import { applicationSettingsPage } from "../pages/account/applications.ts"
import { blockedUsersPage } from "../pages/account/blocks.ts"
import { keysSettingsPage } from "../pages/account/keys.ts"
import { oauth2SettingsPage } from "../pages/account/oauth2.ts"
import { ownOrganizationsPage, ownPackagesPage, ownRepositoriesPage } from "../pages/account/ownLists.ts"
import { notificationSettingsPage, profileSettingsPage } from "../pages/account/profile.ts"
import { securitySettingsPage } from "../pages/account/security.ts"
import { feedPages } from "../pages/activity/feeds.ts"
import { ownerTabPages } from "../pages/activity/ownerTabs.ts"
import { repositoryActivityPage } from "../pages/activity/repositoryActivity.ts"
import { adminAuditPage, organizationAuditPage } from "../pages/admin/audit.ts"
import { adminConfigPage, adminPage } from "../pages/admin/overview.ts"
import {
  adminEmailsPage,
  adminNoticesPage,
  adminOrganizationsPage,
  adminRunnersPage,
  adminTasksPage,
  adminUnadoptedPage
} from "../pages/admin/siteLists.ts"
import { adminUserPage, adminUsersPage, newUserPage } from "../pages/admin/users.ts"
import { actionsPage } from "../pages/automation/actions.ts"
import { runPages } from "../pages/automation/run.ts"
import { blamePages } from "../pages/code/blame.ts"
import { commitPage } from "../pages/code/commit.ts"
import { commitsPages } from "../pages/code/commits.ts"
import { comparePages } from "../pages/code/compare.ts"
import { editPages } from "../pages/code/editFiles.ts"
import { findFilePage } from "../pages/code/findFile.ts"
import { graphPage } from "../pages/code/graph.ts"
import { interestPages } from "../pages/code/interests.ts"
import { refPages } from "../pages/code/refs.ts"
import { repositoryPage } from "../pages/code/repository.ts"
import { sourcePages } from "../pages/code/source.ts"
import { deploymentsPage } from "../pages/deployments/deployments.ts"
import { exploreCodePage, searchCodePage } from "../pages/explore/codeSearch.ts"
import { exploreOrganizationsPage, exploreRepositoriesPage, exploreUsersPage } from "../pages/explore/explore.ts"
import { searchPage } from "../pages/explore/search.ts"
import { issuePage } from "../pages/issues/issue.ts"
import { issueListPages } from "../pages/issues/issueLists.ts"
import { labelsPage } from "../pages/issues/labels.ts"
import { milestonesPage, newMilestonePage } from "../pages/issues/milestones.ts"
import { newIssuePage } from "../pages/issues/newIssue.ts"
import { membersPage } from "../pages/organizations/members.ts"
import { newOrganizationPage } from "../pages/organizations/newOrganization.ts"
import { organizationSettingsPage } from "../pages/organizations/organizationSettings.ts"
import { organizationBlocksPage } from "../pages/organizations/settingsBlocks.ts"
import { organizationLabelsPage } from "../pages/organizations/settingsLabels.ts"
import { teamPage } from "../pages/organizations/team.ts"
import { newTeamPage, teamsPage } from "../pages/organizations/teams.ts"
import { ownerPage } from "../pages/owner/owner.ts"
import { ownerPackagesPage, repositoryPackagesPage } from "../pages/packages/packageLists.ts"
import { packagePage, packageVersionPage } from "../pages/packages/packagePages.ts"
import { pullPage } from "../pages/pulls/pull.ts"
import { pullChecksPage } from "../pages/pulls/pullChecks.ts"
import { pullCommitsPage } from "../pages/pulls/pullCommits.ts"
import { pullFilesPage } from "../pages/pulls/pullFiles.ts"
import { releasePages } from "../pages/releases/releases.ts"
import { newRepositoryPage } from "../pages/repositories/newRepository.ts"
import { forgottenPasswordPage, recoverAccountPage } from "../pages/session/passwordReset.ts"
import { signInPage } from "../pages/session/signIn.ts"
import { signOutPage } from "../pages/session/signOut.ts"
import { signUpPage } from "../pages/session/signUp.ts"
import { accessSettingsPage } from "../pages/settings/access.ts"
import { automationSettingsPages } from "../pages/settings/automationOwners.ts"
import { collaborationSettingsPage } from "../pages/settings/collaboration.ts"
import { keySettingsPage } from "../pages/settings/deployKeys.ts"
import { deploymentSettingsPage } from "../pages/settings/deployments.ts"
import { editEnvironmentPage, environmentSettingsPage } from "../pages/settings/environments.ts"
import { generalSettingsPage } from "../pages/settings/general.ts"
import { ownedHookPages } from "../pages/settings/hookOwners.ts"
import { deliveryPage, hookPage, hookSettingsPage, newHookPage } from "../pages/settings/hooks.ts"
import { mirrorSettingsPage } from "../pages/settings/mirrors.ts"
import { branchSettingsPage, editBranchRulePage } from "../pages/settings/protections.ts"
import { tagSettingsPage } from "../pages/settings/tags.ts"
import { startPage } from "../pages/start/start.ts"
import { wikiPages } from "../pages/wiki/wiki.ts"
import { notificationsPage } from "../pages/work/notifications.ts"
import { ownIssuePages } from "../pages/work/ownIssues.ts"
import { ownMilestonesPage } from "../pages/work/ownMilestones.ts"
import { type Need, needs } from "./needs.ts"

/** Every page of the forge. Add a new page here; the order does not matter. */
export const routes: ReadonlyArray<Page> = [
  startPage,
  exploreRepositoriesPage,
  exploreUsersPage,
  exploreOrganizationsPage,
  exploreCodePage,
  searchPage,
  signInPage,
  signOutPage,
  signUpPage,
  forgottenPasswordPage,
  recoverAccountPage,
  ownerPage,
  ...ownerTabPages,
  repositoryPage,
  repositoryActivityPage,
  ...feedPages,
  deploymentsPage,
  ...sourcePages,
  ...commitsPages,
  commitPage,
  graphPage,
  ...comparePages,
  ...blamePages,
  findFilePage,
  searchCodePage,
  ...editPages,
  ...interestPages,
  ...issueListPages,
  newIssuePage,
  issuePage,
  pullPage,
  pullCommitsPage,
  pullChecksPage,
  pullFilesPage,
  labelsPage,
  milestonesPage,
  newMilestonePage,
  ...releasePages,
  ownerPackagesPage,
  packagePage,
  packageVersionPage,
  repositoryPackagesPage,
  ...refPages,
  notificationsPage,
  ...ownIssuePages,
  ownMilestonesPage,
  ...wikiPages,
  actionsPage,
  ...runPages,
  newOrganizationPage,
  membersPage,
  teamsPage,
  newTeamPage,
  teamPage,
  organizationSettingsPage,
  organizationLabelsPage,
  organizationBlocksPage,
  organizationAuditPage,
  newRepositoryPage,
  generalSettingsPage,
  accessSettingsPage,
  collaborationSettingsPage,
  branchSettingsPage,
  editBranchRulePage,
  tagSettingsPage,
  mirrorSettingsPage,
  deploymentSettingsPage,
  environmentSettingsPage,
  editEnvironmentPage,
  keySettingsPage,
  hookSettingsPage,
  newHookPage,
  hookPage,
  deliveryPage,
  profileSettingsPage,
  accountSettingsPage,
  securitySettingsPage,
  applicationSettingsPage,
  oauth2SettingsPage,
  keysSettingsPage,
  blockedUsersPage,
  ownOrganizationsPage,
  ownRepositoriesPage,
  ownPackagesPage,
  notificationSettingsPage,
  ...ownedHookPages,
  ...automationSettingsPages,
  adminPage,
  adminUsersPage,
  newUserPage,
  adminUserPage,
  adminOrganizationsPage,
  adminEmailsPage,
  adminRunnersPage,
  adminTasksPage,
  adminNoticesPage,
  adminUnadoptedPage,
  adminConfigPage,
  adminAuditPage
]

/** The description of a page as data, for tests and generated documentation. */
export type PageRow = Pick<Page, "operations" | "path" | "signIn"> & {
  readonly methods: ReadonlyArray<"GET" | "POST">
  /** The access requirements of the page. Undefined if `needs.ts` does not list the page. */
  readonly needs: ReadonlyArray<Need> | undefined
}

/** The descriptions of all pages as data. */
export const pageTable: ReadonlyArray<PageRow> = routes.map(({ operations, path, signIn = false, submit }) => ({
  path,
  operations,
  signIn,
  methods: submit === undefined ? ["GET"] : ["GET", "POST"],
  needs: needs[path]
}))
