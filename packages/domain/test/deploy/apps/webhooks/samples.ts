import type { Provider } from "@slipway/domain/deploy/apps"

/** Commit ids, oldest first. */
export const [older, middle, newer] = ["0a1b2c3d", "4e5f6071", "8293a4b5"].map((part) => part.repeat(5)) as [
  string,
  string,
  string
]
export const nothing = "0".repeat(40)

const repository = { id: 7, name: "shop", full_name: "harbour/shop", default_branch: "main" }

const commits = [
  {
    id: middle,
    message: "Sell anchors\n",
    timestamp: "2026-03-01T10:00:00+01:00",
    url: `https://forge.example/harbour/shop/commit/${middle}`,
    author: { name: "Ada Keel", email: "ada@harbour.example" },
    added: ["src/anchors.ts"],
    modified: ["src/index.ts"],
    removed: []
  },
  {
    id: newer,
    message: "Drop ropes\n\nNobody bought one.\n",
    timestamp: "2026-03-01T11:00:00+01:00",
    url: `https://forge.example/harbour/shop/commit/${newer}`,
    author: { name: "Bo Stern", email: "bo@harbour.example" },
    added: [],
    modified: ["src/index.ts"],
    removed: ["src/ropes.ts"]
  }
]

const moved = { ref: "refs/heads/main", before: older, after: newer, repository }

const point = (hash: string, name = "main", type = "branch") => ({
  type,
  name,
  target: {
    type: "commit",
    hash,
    message: "Drop ropes\n\nNobody bought one.\n",
    author: { type: "author", raw: "Bo Stern <bo@harbour.example>" }
  }
})

/** A push of two commits to `main` by each provider, with its header and body. */
export const pushes = {
  github: {
    event: "push",
    payload: {
      ...moved,
      created: false,
      deleted: false,
      forced: false,
      base_ref: null,
      commits: commits.map((commit) => ({ ...commit, distinct: true })),
      head_commit: commits[1],
      pusher: { name: "bo", email: "bo@harbour.example" }
    }
  },
  gitlab: {
    event: "Push Hook",
    payload: {
      ...moved,
      object_kind: "push",
      event_name: "push",
      checkout_sha: newer,
      user_name: "Bo Stern",
      project_id: 7,
      commits: commits.map((commit) => ({ ...commit, title: commit.message.split("\n")[0] })),
      total_commits_count: 2
    }
  },
  bitbucket: {
    event: "repo:push",
    payload: {
      actor: { type: "user", display_name: "Bo Stern" },
      repository,
      push: { changes: [{ old: point(older), new: point(newer), created: false, closed: false, forced: false }] }
    }
  },
  gitea: {
    event: "push",
    payload: {
      ...moved,
      compare_url: "https://forge.example/harbour/shop/compare",
      commits: commits.toReversed(),
      total_commits: 2,
      head_commit: commits[1],
      pusher: { id: 3, login: "bo" }
    }
  }
} as const satisfies Record<Provider, { readonly event: string; readonly payload: object }>

/** Branches and tags as Bitbucket describes them. */
export const bitbucketPush = (...changes: ReadonlyArray<object>) => ({ repository, push: { changes } })
export { point as bitbucketPoint }

/** A pull request from `ropes` to `main` by each provider. */
export const pullRequests = {
  github: {
    event: "pull_request",
    payload: {
      action: "synchronize",
      number: 12,
      pull_request: {
        id: 99,
        title: "Sell ropes",
        state: "open",
        updated_at: "2026-03-01T10:00:00Z",
        head: { ref: "ropes", sha: newer, repo: { id: 5 } },
        base: { ref: "main", sha: older, repo: { id: 5 } }
      },
      repository
    }
  },
  gitlab: {
    event: "Merge Request Hook",
    payload: {
      object_kind: "merge_request",
      user: { name: "Bo Stern" },
      object_attributes: {
        id: 99,
        iid: 12,
        title: "Sell ropes",
        state: "opened",
        updated_at: "2026-03-01 10:00:00 UTC",
        action: "update",
        oldrev: older,
        source_branch: "ropes",
        target_branch: "main",
        source_project_id: 5,
        target_project_id: 5,
        last_commit: { id: newer }
      }
    }
  },
  bitbucket: {
    event: "pullrequest:updated",
    payload: {
      repository,
      pullrequest: {
        id: 12,
        title: "Sell ropes",
        state: "OPEN",
        updated_on: "2026-03-01T10:00:00.000000+00:00",
        source: {
          branch: { name: "ropes" },
          commit: { hash: newer.slice(0, 12) },
          repository: { full_name: "a/shop" }
        },
        destination: {
          branch: { name: "main" },
          commit: { hash: older.slice(0, 12) },
          repository: { full_name: "a/shop" }
        }
      }
    }
  },
  gitea: {
    event: "pull_request",
    payload: {
      action: "synchronized",
      number: 12,
      pull_request: {
        id: 99,
        state: "open",
        updated_at: "2026-03-01T11:00:00+01:00",
        head: { label: "ropes", ref: "ropes", sha: newer, repo: { id: 5 } },
        base: { label: "main", ref: "main", sha: older, repo: { id: 5 } }
      },
      repository
    }
  }
} as const satisfies Record<Provider, { readonly event: string; readonly payload: object }>
