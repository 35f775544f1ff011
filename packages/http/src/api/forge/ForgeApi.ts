import { HttpApi, OpenApi } from "effect/http-api"
import { withoutErrorTags } from "../errorSchemas.ts"
import { AccountApi } from "./account.ts"
import { AdminApi } from "./admin.ts"
import { AuditApi } from "./audit.ts"
import { described } from "./description.ts"
import { EffectiveAccessApi } from "./effectiveAccess.ts"
import { ExplainApi } from "./explain.ts"
import { AvatarsApi, LabelsApi, MembersApi, OrganizationsApi } from "./organizations.ts"
import { CollaboratorsApi, RepositoriesApi, RepositoryTeamsApi } from "./repositories.ts"
import { SecondFactorApi } from "./second-factor.ts"
import { SiteApi } from "./site.ts"
import { TeamsApi } from "./teams.ts"
import { TemplatesApi } from "./templates.ts"
import { TokensApi } from "./tokens.ts"
import { UsersApi } from "./users.ts"

/** The API of the code hosting service, without its implementation: importable by clients. */
export class ForgeApi extends HttpApi.make("forge")
  .add(SiteApi)
  .add(UsersApi)
  .add(AccountApi)
  .add(SecondFactorApi)
  .add(TokensApi)
  .add(OrganizationsApi)
  .add(MembersApi)
  .add(LabelsApi)
  .add(AvatarsApi)
  .add(TeamsApi)
  .add(RepositoriesApi)
  .add(CollaboratorsApi)
  .add(RepositoryTeamsApi)
  .add(TemplatesApi)
  .add(EffectiveAccessApi)
  .add(AdminApi)
  .add(AuditApi)
  .add(ExplainApi)
  .prefix("/api/v1")
  .annotate(OpenApi.Title, "Slipway forge")
  .annotate(OpenApi.Version, "0.1")
  .annotate(
    OpenApi.Description,
    "A code hosting service: users, what they sign in with, organizations, teams and repositories."
  )
  .annotate(OpenApi.Transform, (document) => withoutErrorTags(described(document))) {}
