import type { Page } from "../page/Page.ts"
import { commitPage } from "../pages/code/commit.ts"
import { commitsPages } from "../pages/code/commits.ts"
import { refPages } from "../pages/code/refs.ts"
import { repositoryPage } from "../pages/code/repository.ts"
import { sourcePages } from "../pages/code/source.ts"
import { exploreOrganizationsPage, exploreRepositoriesPage, exploreUsersPage } from "../pages/explore/explore.ts"
import { issuePage } from "../pages/issues/issue.ts"
import { issueListPages } from "../pages/issues/issueLists.ts"
import { labelsPage } from "../pages/issues/labels.ts"
import { milestonesPage, newMilestonePage } from "../pages/issues/milestones.ts"
import { newIssuePage } from "../pages/issues/newIssue.ts"
import { ownerPage } from "../pages/owner/owner.ts"
import { pullPage } from "../pages/pulls/pull.ts"
import { pullFilesPage } from "../pages/pulls/pullFiles.ts"
import { releasePages } from "../pages/releases/releases.ts"
import { signInPage } from "../pages/session/signIn.ts"
import { signOutPage } from "../pages/session/signOut.ts"
import { startPage } from "../pages/start/start.ts"

/** Every page. Add yours here; the order does not matter. */
export const routes: ReadonlyArray<Page> = [
  startPage,
  exploreRepositoriesPage,
  exploreUsersPage,
  exploreOrganizationsPage,
  signInPage,
  signOutPage,
  ownerPage,
  repositoryPage,
  ...sourcePages,
  ...commitsPages,
  commitPage,
  ...issueListPages,
  newIssuePage,
  issuePage,
  pullPage,
  pullFilesPage,
  labelsPage,
  milestonesPage,
  newMilestonePage,
  ...releasePages,
  ...refPages
]

/** A row of the route table, for tests and documents. */
export type PageRow = Pick<Page, "operations" | "path" | "signIn"> & { readonly methods: ReadonlyArray<"GET" | "POST"> }

/** The route table as data. */
export const pageTable: ReadonlyArray<PageRow> = routes.map(({ operations, path, signIn = false, submit }) => ({
  path,
  operations,
  signIn,
  methods: submit === undefined ? ["GET"] : ["GET", "POST"]
}))
