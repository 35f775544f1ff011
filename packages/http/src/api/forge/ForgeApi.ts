import { HttpApi, OpenApi } from "effect/http-api"
import { withoutErrorTags } from "../errorSchemas.ts"
import { accountEndpoints } from "./account.ts"
import { adminEndpoints } from "./admin.ts"
import { auditEndpoints } from "./audit.ts"
import { branchEndpoints, tagEndpoints } from "./branches.ts"
import { commitEndpoints } from "./commits.ts"
import { contentChangeEndpoints } from "./contentChanges.ts"
import { contentEndpoints } from "./contents.ts"
import { described } from "./description.ts"
import { effectiveAccessEndpoints } from "./effectiveAccess.ts"
import { explainEndpoints } from "./explain.ts"
import { gitObjectEndpoints } from "./gitObjects.ts"
import {
  assigneeEndpoints,
  commentEndpoints,
  issueEndpoints,
  issueTemplateEndpoints,
  milestoneEndpoints,
  repositoryLabelEndpoints
} from "./issues.ts"
import { avatarEndpoints, labelEndpoints, memberEndpoints, organizationEndpoints } from "./organizations.ts"
import { pullEndpoints, reviewEndpoints } from "./pulls.ts"
import { collaboratorEndpoints, repositoryEndpoints, repositoryTeamEndpoints } from "./repositories.ts"
import { secondFactorEndpoints } from "./second-factor.ts"
import { siteEndpoints } from "./site.ts"
import { statusEndpoints } from "./statuses.ts"
import { teamEndpoints, teamMemberEndpoints, teamRepositoryEndpoints } from "./teams.ts"
import { templateEndpoints } from "./templates.ts"
import { tokenEndpoints } from "./tokens.ts"
import { userEndpoints } from "./users.ts"

/** The API of the code hosting service, without its implementation: importable by clients. */
export class ForgeApi extends HttpApi.make("forge")
  .add(siteEndpoints.group)
  .add(userEndpoints.group)
  .add(accountEndpoints.group)
  .add(secondFactorEndpoints.group)
  .add(tokenEndpoints.group)
  .add(organizationEndpoints.group)
  .add(memberEndpoints.group)
  .add(labelEndpoints.group)
  .add(avatarEndpoints.group)
  .add(teamEndpoints.group)
  .add(teamMemberEndpoints.group)
  .add(teamRepositoryEndpoints.group)
  .add(repositoryEndpoints.group)
  .add(collaboratorEndpoints.group)
  .add(repositoryTeamEndpoints.group)
  .add(contentEndpoints.group)
  .add(contentChangeEndpoints.group)
  .add(branchEndpoints.group)
  .add(tagEndpoints.group)
  .add(commitEndpoints.group)
  .add(gitObjectEndpoints.group)
  .add(statusEndpoints.group)
  .add(templateEndpoints.group)
  .add(issueEndpoints.group)
  .add(commentEndpoints.group)
  .add(issueTemplateEndpoints.group)
  .add(repositoryLabelEndpoints.group)
  .add(milestoneEndpoints.group)
  .add(assigneeEndpoints.group)
  .add(pullEndpoints.group)
  .add(reviewEndpoints.group)
  .add(effectiveAccessEndpoints.group)
  .add(adminEndpoints.group)
  .add(auditEndpoints.group)
  .add(explainEndpoints.group)
  .annotate(OpenApi.Title, "Slipway forge")
  .annotate(OpenApi.Version, "0.1")
  .annotate(
    OpenApi.Description,
    "A code hosting service: users, what they sign in with, organizations, teams and repositories."
  )
  .annotate(OpenApi.Transform, (document) => withoutErrorTags(described(document))) {}
