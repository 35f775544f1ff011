import type { Case } from "./Case.ts"

/** What every runner is asked of things within repositories, and of what an owner forbids there. */
export const itemCases: ReadonlyArray<Case> = [
  {
    name: "issues, pull requests and comments",
    world: `
      user ann admin
      user olga
      user ira
      user paul
      user wes
      user out
      organization acme
      team acme/Owners: olga
      team acme/triage issues=write on site: wes
      repository acme/site
      repository acme/vault private off=issues
      collaborator paul read acme/vault
      issue acme/site#1 author=ira
      issue acme/site#2 author=ira locked
      issue acme/site#3 author=paul pull
      issue acme/vault#1 author=paul
      issue acme/vault#2 author=paul pull
    `,
    questions: `
      anonymous issue.read acme/site#1 -> allowed by repository.public
      anonymous issue.read acme/site#4 -> 404 by item.missing
      paul issue.read acme/vault#1 -> 404 by issue-readable
      paul issue.read acme/vault#2 -> allowed by repository.collaborator
      out issue.read acme/vault#2 -> 404 by repo-visible
      anonymous issue.edit acme/site#1 -> 401 by site.anonymous
      out issue.edit acme/site#1 -> 403 by author-or-issue-write
      ira issue.edit acme/site#1 -> allowed by issue.author
      ira with read:issue issue.edit acme/site#1 -> 403 by token.scope
      wes issue.edit acme/site#1 -> allowed by repository.team
      wes issue.edit acme/site#3 -> 403 by author-or-issue-write
      paul issue.edit acme/site#3 -> allowed by issue.author
      olga issue.edit acme/site#3 -> allowed by repository.organization-owner
      ira issue.label.add acme/site#1 -> 403 by issue-write
      wes issue.label.add acme/site#1 -> allowed by repository.team
      out issue.comment.create acme/site#1 -> allowed by issue.unlocked
      ira issue.comment.create acme/site#2 -> 403 by unlocked
      wes issue.comment.create acme/site#2 -> allowed by repository.team
      ira issue.pin acme/site#1 -> 403 by repo-admin
      ann issue.pin acme/site#1 -> allowed by repository.site-admin
    `
  },
  {
    name: "who looks after a comment",
    world: `
      user ira
      user cy
      user out
      repository ira/notes
      comment ira/notes#1 author=ira commentAuthor=cy
      comment ira/notes#2 author=out commentAuthor=out locked
    `,
    questions: `
      out issue.comment.read ira/notes#1 -> allowed by repository.public
      out issue.comment.read ira/notes#9 -> 404 by item.missing
      cy issue.comment.edit ira/notes#1 -> allowed by comment.author
      ira issue.comment.edit ira/notes#1 -> allowed by repository.owner
      out issue.comment.edit ira/notes#1 -> 403 by comment-author-or-issue-write
      out issue.comment.delete ira/notes#2 -> allowed by comment.author
      cy issue.comment.reaction.add ira/notes#2 -> 403 by unlocked
      cy issue.comment.reaction.add ira/notes#1 -> allowed by issue.unlocked
    `
  },
  {
    name: "whom an owner blocks",
    world: `
      user ann admin
      user bob
      user eve
      organization acme
      team acme/Owners: bob
      repository acme/site
      repository bob/notes
      issue acme/site#1 author=bob
      block acme eve
      block ann bob
    `,
    questions: `
      eve issue.read acme/site#1 -> allowed by repository.public
      eve issue.create acme/site -> 403 by repository.blocked
      eve issue.comment.create acme/site#1 -> 403 by repository.blocked
      eve issue.reaction.add acme/site#1 -> 403 by repository.blocked
      eve pull.create acme/site -> 403 by repository.blocked
      eve account.starred.add acme/site -> 403 by repository.blocked
      eve account.starred.remove acme/site -> allowed by repository.public
      eve repository.subscription.add acme/site -> 403 by repository.blocked
      eve issue.create bob/notes -> allowed by repository.public
      bob issue.create acme/site -> allowed by repository.organization-owner repository.public
    `
  },
  {
    name: "who deletes a time that was tracked",
    world: `
      user ira
      user wes
      user cy
      repository ira/notes
      collaborator wes write ira/notes
      collaborator cy read ira/notes
      trackedTime ira/notes#1/1 author=ira worker=wes
      trackedTime ira/notes#2/2 author=ira worker=ira
    `,
    questions: `
      cy issue.time.delete ira/notes#1/1 -> 403 by issue-write
      wes issue.time.delete ira/notes#1/1 -> allowed by repository.collaborator time.worker
      wes issue.time.delete ira/notes#2/2 -> 403 by worker-or-repo-admin
      wes issue.time.delete ira/notes#1/2 -> 404 by item.missing
      ira issue.time.delete ira/notes#1/1 -> allowed by repository.owner time.repository-admin
    `
  },
  {
    name: "pull requests, their reviews, releases, wikis, mirrors and transfers",
    world: `
      user olga
      user paul                # opens pull requests
      user rita                # reviews them
      user wes                 # writes code through a team
      user out
      organization acme
      team acme/Owners: olga
      team acme/crew code=write pulls=read releases=read wiki=read on site: wes
      team acme/press releases=write wiki=write on site: rita
      repository acme/site
      repository acme/vault private
      pull acme/site#1 author=paul
      pull acme/site#2 author=paul locked
      pull acme/vault#1 author=olga
      review acme/site#3/1 author=paul reviewer=rita pending
      review acme/site#4/2 author=paul reviewer=rita
      release acme/site#1
      release acme/site#2 draft
    `,
    questions: `
      anonymous pull.read acme/site#1 -> allowed by repository.public
      anonymous pull.read acme/site#9 -> 404 by item.missing
      out pull.read acme/vault#1 -> 404 by repo-visible
      out pull.edit acme/site#1 -> 403 by author-or-pull-write
      paul pull.edit acme/site#1 -> allowed by issue.author
      paul with read:repository pull.edit acme/site#1 -> 403 by token.scope
      paul pull.merge acme/site#1 -> 403 by W:code
      wes pull.merge acme/site#1 -> allowed by repository.team
      anonymous pull.merge acme/site#1 -> 401 by site.anonymous
      out pull.review.create acme/site#1 -> allowed by repository.public pull.unlocked
      out pull.review.create acme/site#2 -> 403 by pull-unlocked
      rita pull.review.read acme/site#3/1 -> allowed by repository.public
      olga pull.review.read acme/site#3/1 -> 404 by review.pending
      out pull.review.read acme/site#4/2 -> allowed by repository.public
      out pull.review.read acme/site#1/2 -> 404 by item.missing
      out pull.review.dismiss acme/site#4/2 -> 403 by repo-admin
      out repository.release.read acme/site#1 -> allowed by repository.public
      out repository.release.read acme/site#2 -> 404 by release-visible
      rita repository.release.read acme/site#2 -> allowed by repository.team repository.public
      wes repository.release.edit acme/site#1 -> 403 by W:releases
      rita repository.release.edit acme/site#1 -> allowed by repository.team
      wes repository.wiki.page.create acme/site -> 403 by W:wiki
      rita repository.wiki.page.create acme/site -> allowed by repository.team
      rita repository.push-mirror.create acme/site -> 403 by repo-admin
      olga repository.push-mirror.create acme/site -> allowed by repository.organization-owner
      wes repository.transfer acme/site -> 403 by repo-owner
      olga repository.transfer acme/site -> allowed by repository.organization-owner
    `
  }
]
