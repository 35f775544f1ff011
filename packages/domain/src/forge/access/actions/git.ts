import { type Action, area, type Route, readsOnly } from "../Action.ts"

const git = area({
  on: "repository",
  base: "/{username}/{reponame}.git",
  scope: ["repository"],
  guards: ["repo-visible"]
})

const wiki = area({
  on: "repository",
  base: "/{username}/{reponame}.wiki.git",
  scope: ["repository"],
  guards: ["repo-visible", "wiki-readable"]
})

const also = <A extends Action>(action: A, ...routes: ReadonlyArray<Route>): A => ({
  ...action,
  routes: [...action.routes, ...routes]
})

const base = "/{username}/{reponame}.git"

/**
 * The actions of git clients over HTTP and SSH, with the routes of git's smart HTTP protocol and of Git LFS.
 *
 * They are not part of the API, but have the same requirements as its routes: a fetch needs read access to the code
 * unit, and a push needs the same access as a change of file contents.
 */
export const gitActions = {
  "git.fetch": also(
    readsOnly(git("POST /git-upload-pack", "Fetch from a repository", "R:code")),
    `GET ${base}/info/refs`
  ),
  "git.push": git("POST /git-receive-pack", "Push to a repository", "sign-in", "W:code|lent", "editable"),
  "git.wiki.fetch": readsOnly(wiki("POST /git-upload-pack", "Fetch from a wiki")),
  "git.wiki.push": wiki("POST /git-receive-pack", "Push to a wiki", "sign-in", "W:wiki", "editable"),
  "git.lfs.read": also(
    git("GET /info/lfs/objects/{oid}", "Download large files", "R:code"),
    `POST ${base}/info/lfs/objects/batch`,
    `GET ${base}/info/lfs/locks`
  ),
  "git.lfs.write": also(
    git("PUT /info/lfs/objects/{oid}", "Upload large files", "R:code", "sign-in", "W:code", "editable"),
    `POST ${base}/info/lfs/verify`,
    `POST ${base}/info/lfs/locks`,
    `POST ${base}/info/lfs/locks/verify`,
    `POST ${base}/info/lfs/locks/{id}/unlock`
  )
} as const
