import { Effect } from "effect"
import { defineBatchJob, defineJob } from "../../base/jobs/JobHandlers.ts"
import { deleteRepositories, removeGit } from "./deletion.ts"
import { changeHead, forkGit, generate, makeGit } from "./gitJobs.ts"

/** The handlers of background jobs for repositories. */
export const repositoryJobs = [
  defineJob("MakeGit", ({ repositoryId }) => `creating the git repository of repository ${repositoryId}`, makeGit),
  defineJob(
    "ForkGit",
    ({ from, repositoryId }) => `copying the git repository of repository ${from} to ${repositoryId}`,
    forkGit
  ),
  defineJob(
    "GenerateGit",
    ({ from, repositoryId }) => `creating repository ${repositoryId} from the template ${from}`,
    generate
  ),
  defineJob(
    "PointHead",
    ({ repositoryId }) => `setting the default branch of repository ${repositoryId}`,
    ({ repositoryId }) => changeHead(repositoryId)
  ),
  defineJob(
    "RemoveGit",
    ({ repositoryId }) => `removing the git repository of the deleted repository ${repositoryId}`,
    ({ repositoryId }) => removeGit(repositoryId)
  ),
  defineJob(
    "RemoveGits",
    ({ repositoryIds }) => `removing the git repositories of ${repositoryIds.length} deleted repositories`,
    ({ repositoryIds }) => Effect.forEach(repositoryIds, removeGit, { discard: true })
  ),
  defineBatchJob(
    "DeleteRepositories",
    ({ organizationId }) => `deleting the repositories of organization ${organizationId}`,
    ({ work }) => deleteRepositories(work)
  )
] as const
