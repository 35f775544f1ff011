import { area, asking, withHead } from "../Action.ts"

const repository = area({
  on: "repository",
  base: "/repos/{username}/{reponame}",
  scope: ["repository"],
  guards: ["repo-visible"]
})

// Not in the specification, which has no code search.
const code = area({ on: "site", base: "/code", scope: ["repository"] })

/** The actions on the contents of a repository, each with its route and its guards (named access checks). */
export const contentActions = {
  "repository.compare": repository("GET /compare/*", "Compare two revisions of a repository", "R:code"),
  "repository.compare.diff": repository(
    "GET /compare-diff/*",
    "Read the comparison of two revisions as a diff",
    "R:code"
  ),
  "repository.blame": repository("GET /blame/*", "Read which commit last changed each line of a file", "R:code"),
  "repository.file.search": repository("GET /file-search", "Search the paths of the files of a revision", "R:code"),
  "code.search": code(
    "GET /search",
    "Search the code of the default branches of all repositories that the caller can read",
    "code-search-sign-in",
    "code-search-enabled"
  ),
  "repository.code.search": repository(
    "GET /code/search",
    "Search the code of the default branch of a repository",
    "R:code",
    "code-search-enabled"
  ),
  "repository.file.raw": repository("GET /raw/*", "Download a file", "R:code"),
  "repository.file.media": repository("GET /media/*", "Download a file, or the LFS object that it points to", "R:code"),
  "repository.archive.download": withHead(repository("GET /archive/*", "Download an archive of a revision", "R:code")),
  "repository.tarball.download": withHead(
    repository("GET /tarball/*", "Download a revision as a gzipped tar archive", "R:code")
  ),
  "repository.zipball.download": withHead(
    repository("GET /zipball/*", "Download a revision as a zip archive", "R:code")
  ),
  "repository.bundle.download": withHead(repository("GET /bundle/*", "Download a revision as a git bundle", "R:code")),
  "repository.fork.list": repository("GET /forks", "List the forks of a repository"),
  "repository.fork.create": asking(repository("POST /forks", "Fork a repository", "sign-in", "R:code"), "person"),
  // No caller may write to a mirror, on any route.
  "repository.merge-upstream": asking(
    repository(
      "POST /merge-upstream",
      "Merge a branch of the parent repository into the fork",
      "sign-in",
      "W:code",
      "not-archived"
    ),
    "editable"
  ),
  "repository.editorconfig.read": repository(
    "GET /editorconfig/{filename}",
    "Read the EditorConfig settings of a file",
    "R:code"
  ),
  "repository.patch.apply": repository("POST /diffpatch", "Apply a patch as a commit", "sign-in", "W:code", "editable"),
  "repository.contents.list": repository("GET /contents", "List the files of the root of a repository", "R:code"),
  "repository.contents.read": repository("GET /contents/*", "Read a file or list a folder", "R:code"),
  "repository.contents.change": repository(
    "POST /contents",
    "Change several files in one commit",
    "sign-in",
    "branch-write",
    "editable"
  ),
  "repository.contents.create": repository("POST /contents/*", "Create a file", "sign-in", "branch-write", "editable"),
  "repository.contents.edit": repository(
    "PUT /contents/*",
    "Change or create a file",
    "sign-in",
    "branch-write",
    "editable"
  ),
  "repository.contents.delete": repository(
    "DELETE /contents/*",
    "Delete a file",
    "sign-in",
    "branch-write",
    "editable"
  ),
  "repository.contents.list-extended": repository(
    "GET /contents-ext",
    "List the root of a repository with the requested details",
    "R:code"
  ),
  "repository.contents.read-extended": repository(
    "GET /contents-ext/*",
    "Read a file or list a folder with the requested details",
    "R:code"
  ),
  "repository.contents.read-several": repository("GET /file-contents", "Read several files", "R:code"),
  "repository.contents.read-several-by-body": repository(
    "POST /file-contents",
    "Read several files named in the body",
    "R:code"
  ),
  "repository.branch.list": repository("GET /branches", "List the branches of a repository", "R:code"),
  "repository.branch.read": repository("GET /branches/*", "Read a branch of a repository", "R:code"),
  "repository.branch.create": repository(
    "POST /branches",
    "Create a branch in a repository",
    "sign-in",
    "W:code",
    "not-archived"
  ),
  "repository.branch.move": repository(
    "PUT /branches/*",
    "Set a branch to another commit",
    "sign-in",
    "W:code",
    "not-archived"
  ),
  "repository.branch.rename": repository("PATCH /branches/*", "Rename a branch", "sign-in", "W:code", "not-archived"),
  "repository.branch.delete": repository(
    "DELETE /branches/*",
    "Delete a branch of a repository",
    "sign-in",
    "W:code",
    "not-archived"
  ),
  "repository.tag.list": repository("GET /tags", "List the tags of a repository", "R:code"),
  "repository.tag.read": repository("GET /tags/*", "Read a tag of a repository", "R:code"),
  "repository.tag.create": repository(
    "POST /tags",
    "Create a tag in a repository",
    "sign-in",
    "W:code",
    "not-archived"
  ),
  "repository.tag.delete": repository(
    "DELETE /tags/*",
    "Delete a tag of a repository",
    "sign-in",
    "W:code",
    "not-archived"
  ),
  "repository.status.list": repository("GET /statuses/{sha}", "List the statuses of a commit", "R:code"),
  "repository.status.create": repository("POST /statuses/{sha}", "Create a status of a commit", "sign-in", "W:code"),
  "repository.deployment.list": repository("GET /deployments", "List the deployments of a repository", "R:code"),
  "repository.deployment.create": repository(
    "POST /deployments",
    "Create a deployment of a revision",
    "sign-in",
    "W:code"
  ),
  "repository.deployment.read": repository("GET /deployments/{id}", "Read a deployment", "R:code"),
  "repository.deployment.status.list": repository(
    "GET /deployments/{id}/statuses",
    "List the statuses of a deployment",
    "R:code"
  ),
  "repository.deployment.status.create": repository(
    "POST /deployments/{id}/statuses",
    "Add a status to a deployment",
    "sign-in",
    "W:code"
  ),
  "repository.deployment.approval.read": repository(
    "GET /deployments/{id}/approval",
    "Read whether a deployment may run, and who may approve it",
    "R:code"
  ),
  // The reviewers of an environment need no write permission. The use case compares the caller with them.
  "repository.deployment.approval.create": asking(
    repository("POST /deployments/{id}/approval", "Approve or reject a waiting deployment", "sign-in", "R:code"),
    "person",
    "not-archived"
  ),
  "repository.environment.list": repository("GET /environments", "List the environments of a repository", "R:code"),
  "repository.environment.read": repository("GET /environments/{environment}", "Read an environment", "R:code"),
  "repository.environment.set": repository(
    "PUT /environments/{environment}",
    "Create an environment, or replace its protection",
    "sign-in",
    "repo-admin",
    "not-archived"
  ),
  "repository.environment.delete": repository(
    "DELETE /environments/{environment}",
    "Delete an environment with its protection; its deployments stay",
    "sign-in",
    "repo-admin",
    "not-archived"
  ),
  "repository.environment.policy.list": repository(
    "GET /environments/{environment}/deployment-branch-policies",
    "List the branch and tag patterns of an environment",
    "R:code"
  ),
  "repository.environment.policy.create": repository(
    "POST /environments/{environment}/deployment-branch-policies",
    "Add a branch or tag pattern to an environment",
    "sign-in",
    "repo-admin",
    "not-archived"
  ),
  "repository.environment.policy.read": repository(
    "GET /environments/{environment}/deployment-branch-policies/{id}",
    "Read a branch or tag pattern of an environment",
    "R:code"
  ),
  "repository.environment.policy.update": repository(
    "PUT /environments/{environment}/deployment-branch-policies/{id}",
    "Change a branch or tag pattern of an environment",
    "sign-in",
    "repo-admin",
    "not-archived"
  ),
  "repository.environment.policy.delete": repository(
    "DELETE /environments/{environment}/deployment-branch-policies/{id}",
    "Delete a branch or tag pattern of an environment",
    "sign-in",
    "repo-admin",
    "not-archived"
  ),
  "repository.commit.list": repository("GET /commits", "List the commits of a branch or a file", "R:code"),
  "repository.commit.status.combined": repository(
    "GET /commits/{ref}/status",
    "Read the combined status of a revision",
    "R:code"
  ),
  "repository.commit.status.list": repository(
    "GET /commits/{ref}/statuses",
    "List the statuses of a revision",
    "R:code"
  ),
  "repository.commit.pull": repository(
    "GET /commits/{sha}/pull",
    "Read the pull request that merged a commit",
    "R:code"
  ),
  "repository.git.commit.read": repository("GET /git/commits/{sha}", "Read a commit", "R:code"),
  "repository.git.commit.diff": repository("GET /git/commits/{sha}.diff", "Read a commit as a diff", "R:code"),
  "repository.git.commit.patch": repository("GET /git/commits/{sha}.patch", "Read a commit as a patch", "R:code"),
  "repository.git.ref.list": repository("GET /git/refs", "List the references of a repository", "R:code"),
  "repository.git.ref.read": repository("GET /git/refs/*", "List the references with a prefix", "R:code"),
  "repository.git.tree.read": repository("GET /git/trees/{sha}", "List a tree", "R:code"),
  "repository.git.blob.read": repository("GET /git/blobs/{sha}", "Read a blob", "R:code"),
  "repository.git.tag.read": repository("GET /git/tags/{sha}", "Read an annotated tag", "R:code"),
  "repository.git.note.read": repository("GET /git/notes/{sha}", "Read the note of a commit", "R:code"),
  "repository.language.list": repository(
    "GET /languages",
    "Read the languages of a repository, in bytes of code",
    "R:code"
  ),
  "repository.license.list": repository("GET /licenses", "List the licences of a repository", "R:code")
} as const
