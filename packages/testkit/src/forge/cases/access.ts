import type { Case } from "./Case.ts"
import { itemCases } from "./items.ts"

const acme = `
  user ann admin
  user olga                # owns acme
  user bob                 # writes code through a team
  user cy                  # reads issues through a team
  user dora                # administers one repository through a team
  user eve                 # belongs to nothing
  user cleo                # collaborates on one repository
  user rex restricted
  user pia private
  organization acme public
  organization inner limited
  organization hush private
  repository acme/site
  repository acme/vault private
  repository acme/old archived
  repository acme/copy mirror
  repository acme/bare private off=code,wiki,pulls
  repository inner/plan
  repository hush/plot
  repository pia/diary
  team acme/Owners: olga
  team acme/builders limited code=write issues=read on site vault bare: bob
  team acme/readers issues=read on vault: cy
  team acme/keepers admin on vault: dora
  team acme/club public creates code=read on site: cy
  team hush/Owners: olga
  team hush/crew code=read on *: bob
  collaborator cleo write acme/site
  collaborator rex read acme/vault
`

/** What every runner is asked: each world is stated once, and checked, listed and explained alike. */
export const accessCases: ReadonlyArray<Case> = [
  {
    name: "repositories open by ownership, teams, collaboration and visibility, in this order of strength",
    world: acme,
    questions: `
      anonymous repository.read acme/site -> allowed by repository.public
      eve repository.read acme/site -> allowed by repository.public
      bob repository.contents.change acme/site -> allowed by repository.team
      cleo repository.contents.change acme/site -> allowed by repository.collaborator
      eve repository.contents.change acme/site -> 403 by branch-write
      anonymous repository.contents.change acme/site -> 401 by site.anonymous
      olga repository.delete acme/vault -> allowed by repository.organization-owner
      ann repository.delete acme/vault -> allowed by repository.site-admin
      dora repository.edit acme/vault -> allowed by repository.team-admin
      dora repository.delete acme/vault -> 403 by repo-owner
      bob repository.edit acme/vault -> 403 by repo-admin
      pia repository.delete pia/diary -> allowed by repository.owner
    `
  },
  {
    name: "private repositories are missing for those who hold nothing on them",
    world: acme,
    questions: `
      anonymous repository.read acme/vault -> 404 by repo-visible
      eve repository.read acme/vault -> 404 by repo-visible
      eve repository.delete acme/vault -> 404 by repo-visible
      cleo issue.create acme/vault -> 404 by repo-visible
      cy repository.read acme/vault -> allowed by repository.team
      rex repository.read acme/vault -> allowed by repository.collaborator
      anonymous repository.read pia/diary -> 404 by repo-visible
      anonymous repository.read inner/plan -> 404 by repo-visible
      eve repository.read inner/plan -> allowed by repository.public
      bob repository.read hush/plot -> allowed by repository.team repository.public
      eve repository.read hush/plot -> 404 by repo-visible
      rex repository.read acme/site -> 404 by repo-visible
    `
  },
  {
    name: "one unit doesn't open another, and a unit that is off is closed for everyone",
    world: acme,
    questions: `
      cy issue.list acme/vault -> allowed by repository.team
      cy repository.contents.read acme/vault -> 403 by R:code
      cy repository.release.list acme/vault -> 403 by R:releases
      bob repository.release.list acme/vault -> 403 by R:releases
      bob pull.list acme/vault -> 404 by PR-enabled
      dora pull.list acme/vault -> allowed by repository.team-admin repository.team
      bob repository.contents.read acme/bare -> 403 by repository.unit-off
      olga repository.contents.read acme/bare -> 403 by repository.unit-off
      olga pull.list acme/bare -> 404 by repository.unit-off
      olga issue.list acme/bare -> allowed by repository.organization-owner
      bob issue.list acme/bare -> allowed by repository.team
      bob label.create acme/vault -> 403 by W:issues|pulls
    `
  },
  {
    name: "archived repositories and mirrors are read-only where the specification says so",
    world: acme,
    questions: `
      olga repository.branch.list acme/old -> allowed by repository.organization-owner repository.public
      olga repository.contents.change acme/old -> 423 by repository.archived
      olga repository.branch.create acme/old -> 423 by repository.archived
      olga repository.contents.change acme/copy -> 423 by repository.mirror
      olga repository.branch.create acme/copy -> allowed by repository.organization-owner
      eve repository.branch.create acme/old -> 403 by W:code
      olga repository.delete acme/old -> allowed by repository.organization-owner
    `
  },
  {
    name: "organizations and what lies below them",
    world: acme,
    questions: `
      anonymous organization.read acme -> allowed by organization.public
      anonymous organization.read inner -> 404 by org-visible
      eve organization.read inner -> allowed by organization.limited
      rex organization.read acme -> 404 by org-visible
      eve organization.read hush -> 404 by org-visible
      bob organization.read hush -> allowed by organization.member
      anonymous organization.member.list hush -> 404 by org-visible
      anonymous organization.member.list acme -> 401 by site.anonymous
      eve organization.label.list hush -> 404 by org-visible
      eve organization.edit hush -> 404 by org-visible
      eve organization.edit acme -> 403 by OO
      bob organization.edit acme -> 403 by OO
      olga organization.edit acme -> allowed by organization.owner
      eve organization.team.list acme -> 403 by OM
      bob organization.team.list acme -> allowed by organization.member
      bob organization.team.create acme -> 403 by OO
      bob organization.repository.create acme -> 403 by may-create-repository
      cy organization.repository.create acme -> allowed by organization.repository-creator
      cy organization.repository.create-deprecated acme -> allowed by organization.repository-creator
      eve user.organization.permissions acme eve -> allowed by user.self
      eve user.organization.permissions acme bob -> 403 by self-or-OM-or-SA
      cy user.organization.permissions acme bob -> allowed by organization.member
      eve user.organization.permissions hush bob -> 404 by org-visible
      eve user.organization.permissions acme pia -> 404 by user-visible
    `
  },
  {
    name: "teams are seen as their visibility and their organization's allow",
    world: acme,
    questions: `
      anonymous team.read acme/club -> 401 by site.anonymous
      anonymous team.read hush/crew -> 401 by site.anonymous
      eve team.read acme/club -> allowed by team.public
      eve team.read acme/builders -> 404 by team.hidden
      cy team.read acme/builders -> allowed by team.limited
      cy team.read acme/keepers -> 403 by TR
      eve team.read acme/keepers -> 404 by team.hidden
      bob team.read acme/builders -> allowed by team.member team.limited
      olga team.read acme/keepers -> allowed by team.organization-owner
      ann team.read hush/crew -> allowed by team.site-admin
      eve team.read hush/crew -> 404 by team.hidden
      eve team.member.list acme/club -> 404 by OM
      bob team.edit acme/builders -> 404 by OO
      olga team.edit acme/builders -> allowed by team.organization-owner
      olga team.delete acme/builders -> allowed by team.organization-owner
      olga team.delete acme/Owners -> 403 by team.owners
      bob team.member.add acme/builders -> 404 by OO
      dora team.repository.add acme/keepers acme/vault -> allowed by team.member repository.team-admin
      bob team.repository.add acme/builders acme/vault -> 403 by target-repo-admin
      cy team.repository.add acme/builders acme/vault -> 403 by TM
      eve team.repository.add acme/club acme/site -> 404 by team.hidden
      dora team.repository.add acme/keepers acme/bare -> 404 by repo-visible
    `
  },
  {
    name: "users are seen as their visibility allows, and speak for themselves",
    world: acme,
    questions: `
      anonymous user.read bob -> allowed by user.public
      anonymous user.read pia -> 404 by user-visible
      eve user.read pia -> 404 by user-visible
      pia user.read pia -> allowed by user.self
      ann user.read pia -> allowed by user.site-admin
      anonymous user.key.list pia -> 404 by user-visible
      anonymous user.key.list bob -> 401 by site.anonymous
      eve account.following.add pia -> 404 by user-visible
      bob user.token.create bob -> allowed by user.self
      eve user.token.create bob -> 403 by self-or-SA
      anonymous user.token.list bob -> 401 by site.no-password
      bob with all user.token.create bob -> 401 by site.no-password
      ann with all user.token.create bob -> 401 by site.no-password
      eve admin.user.list -> 403 by SA
      anonymous admin.user.list -> 401 by site.anonymous
      ann admin.user.list -> allowed by site.admin
    `
  },
  {
    name: "tokens do what their scope names and nothing more",
    world: acme,
    questions: `
      bob with read:repository repository.read acme/vault -> allowed by repository.team
      bob with read:repository repository.contents.change acme/vault -> 403 by token.scope
      bob with write:repository repository.contents.change acme/vault -> allowed by repository.team
      bob with write:issue repository.read acme/vault -> 403 by token.scope
      bob with write:repository issue.list acme/vault -> 403 by token.scope
      bob with read:user user.repository.list bob -> 403 by token.scope
      bob with read:user, read:repository user.repository.list bob -> allowed by user.self user.public
      ann with all admin.user.list -> allowed by site.admin
      ann with write:user admin.user.list -> 403 by token.scope
      eve with all repository.read acme/vault -> 404 by repo-visible
      olga with write:organization organization.repository.delete-all acme -> 403 by token.scope
    `
  },
  {
    name: "public-only tokens meet public things alone",
    world: acme,
    questions: `
      bob with all, public-only repository.read acme/site -> allowed by repository.team repository.public
      bob with all, public-only repository.read acme/vault -> 403 by token.public-only
      bob with all, public-only issue.list acme/vault -> 403 by token.public-only
      eve with all, public-only repository.read acme/vault -> 404 by repo-visible
      eve with all, public-only repository.read inner/plan -> 403 by token.public-only
      eve with all, public-only organization.read inner -> 403 by token.public-only
      bob with all, public-only organization.read hush -> 403 by token.public-only
      bob with all, public-only organization.team.list acme -> 403 by token.public-only
      bob with all, public-only team.read acme/builders -> 403 by token.public-only
      eve with all, public-only team.read hush/crew -> 404 by team.hidden
      bob with all, public-only repository.collaborator.list acme/site -> 403 by token.public-only
      bob with all, public-only repository.contents.change acme/site -> allowed by repository.team
      bob with all, public-only account.read -> allowed
      bob with all, public-only account.email.list -> 403 by token.public-only
      bob with all, public-only notification.list -> 403 by token.public-only
      ann with all, public-only admin.user.list -> 403 by token.public-only
      ann with all, public-only repository.read acme/vault -> 403 by token.public-only
      pia with all, public-only user.read pia -> 403 by token.public-only
      bob with all, public-only package.list acme -> 403 by token.public-only
    `
  },
  {
    name: "packages follow their owner",
    world: acme,
    questions: `
      anonymous package.list acme -> 401 by site.anonymous
      anonymous package.list hush -> 404 by owner-visible
      eve package.list acme -> allowed by package.public
      eve package.list hush -> 404 by owner-visible
      bob package.list hush -> allowed by package.member
      eve package.delete acme -> 403 by package-write
      dora package.delete acme -> allowed by package.team
      olga package.delete acme -> allowed by package.organization-owner
      pia package.delete pia -> allowed by package.owner
    `
  },
  {
    name: "a second factor that is required and missing leaves no repositories",
    world: `
      site +secondFactorRequired
      user ann admin
      user bob second-factor
      user eve
      repository bob/notes
      repository eve/notes
    `,
    questions: `
      anonymous repository.read bob/notes -> allowed by repository.public
      bob repository.read eve/notes -> allowed by repository.public
      eve repository.read bob/notes -> 404 by repository.second-factor
      eve repository.delete eve/notes -> 404 by repository.second-factor
      ann repository.read bob/notes -> 404 by repository.second-factor
      eve account.read -> allowed
      eve lists repository ->
      bob lists repository -> bob/notes, eve/notes
    `
  },
  {
    name: "keys that a token gives",
    world: `
      user bob
    `,
    questions: `
      bob account.key.create -> allowed
      bob with write:user account.key.create -> 403 by token.key-scope
      bob with write:user, write:repository account.key.create -> allowed
    `
  },
  {
    name: "switches of the site",
    world: `
      site -stars -webhooks -usersPage -attachments -timeTracking +exploreNeedsSignIn -organizationCreation
      user ann admin
      user bob
      organization acme
      repository bob/notes
      issue bob/notes#1 author=bob
      team acme/Owners: bob
    `,
    questions: `
      bob account.starred.list -> 403 by site.stars-off
      bob organization.hook.list acme -> 403 by site.webhooks-off
      anonymous organization.hook.list acme -> 401 by site.anonymous
      bob issue.asset.list bob/notes#1 -> 404 by site.attachments-off
      bob issue.time.create bob/notes#1 -> 403 by site.times-off
      bob issue.time.list bob/notes#1 -> allowed by repository.owner repository.public
      anonymous user.search -> 401 by site.explore-closed
      bob user.search -> 404 by site.users-page-off
      bob organization.create -> 403 by may-create-org
      ann organization.create -> allowed by site.admin
      bob repository.git-hook.list bob/notes -> 403 by site.git-hooks-off
      anonymous nodeinfo.read -> 404 by site.federation-off
      anonymous repository.actions.artifact.download-signed valid -> allowed
      bob repository.actions.artifact.download-signed forged -> 401 by link.signature
    `
  },
  {
    name: "lists show what a read of each would show",
    world: acme,
    questions: `
      anonymous lists repository -> acme/site, acme/old, acme/copy
      eve lists repository -> acme/site, acme/old, acme/copy, inner/plan
      bob lists repository -> acme/site, acme/vault, acme/old, acme/copy, acme/bare, inner/plan, hush/plot
      rex lists repository -> acme/vault
      bob with all, public-only lists repository -> acme/site, acme/old, acme/copy
      anonymous lists organization -> acme
      eve lists organization -> acme, inner
      bob lists organization -> acme, inner, hush
      bob lists organization-directory -> acme, inner
      ann lists organization-directory -> acme, inner, hush
      ann with all, public-only lists organization-directory -> acme
      olga lists team -> acme/Owners, acme/builders, acme/readers, acme/keepers, acme/club, hush/Owners, hush/crew
      bob lists team -> acme/builders, acme/club, hush/crew
      eve lists team ->
      anonymous lists user -> ann, olga, bob, cy, dora, eve, cleo, rex
    `
  },
  ...itemCases
]
