import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { storageEndpoints } from "../apps/storages.ts"
import { tagEndpoints } from "../apps/tags.ts"
import { databaseVariableEndpoints } from "../apps/variables.ts"
import { access } from "../base/access.ts"

const envs = "/databases/:uuid/envs"
const storages = "/databases/:uuid/storages"
const tags = "/databases/:uuid/tags"

/** The endpoints of the variables, storages and tags of a database. */
export class DatabaseSettingsApi extends HttpApiGroup.make("databaseSettings")
  .add(
    HttpApiEndpoint.get("listVariables", envs, databaseVariableEndpoints.list)
      .annotate(OpenApi.Summary, "List the variables of a database, with their values for tokens with `read:sensitive`")
      .pipe(access("database.read")),
    HttpApiEndpoint.post("createVariable", envs, databaseVariableEndpoints.create)
      .annotate(OpenApi.Summary, "Add a variable to a database, from its next start on")
      .pipe(access("database.update")),
    HttpApiEndpoint.patch("updateVariable", envs, databaseVariableEndpoints.update)
      .annotate(OpenApi.Summary, "Change a variable of a database by its key")
      .pipe(access("database.update")),
    HttpApiEndpoint.patch("setVariables", `${envs}/bulk`, databaseVariableEndpoints.bulk)
      .annotate(OpenApi.Summary, "Set several variables of a database, all or none")
      .pipe(access("database.update")),
    HttpApiEndpoint.delete("removeVariable", `${envs}/:env_uuid`, databaseVariableEndpoints.remove)
      .annotate(OpenApi.Summary, "Remove a variable of a database")
      .pipe(access("database.variable.delete")),
    HttpApiEndpoint.get("listStorages", storages, storageEndpoints.list)
      .annotate(OpenApi.Summary, "List the storages that were added to a database")
      .pipe(access("database.read")),
    HttpApiEndpoint.post("createStorage", storages, storageEndpoints.create)
      .annotate(OpenApi.Summary, "Add a storage to a database, from its next start on")
      .pipe(access("database.update")),
    HttpApiEndpoint.patch("updateStorage", storages, storageEndpoints.update)
      .annotate(OpenApi.Summary, "Change a storage of a database")
      .pipe(access("database.update")),
    HttpApiEndpoint.delete("removeStorage", `${storages}/:storage_uuid`, storageEndpoints.remove)
      .annotate(OpenApi.Summary, "Remove a storage of a database; the data in its volume stays")
      .pipe(access("database.storage.delete")),
    HttpApiEndpoint.get("listTags", tags, tagEndpoints.list)
      .annotate(OpenApi.Summary, "List the tags of a database")
      .pipe(access("database.tag.list")),
    HttpApiEndpoint.post("addTags", tags, tagEndpoints.add)
      .annotate(OpenApi.Summary, "Add tags to a database")
      .pipe(access("database.tag.add")),
    HttpApiEndpoint.delete("removeTag", `${tags}/:tag`, tagEndpoints.remove)
      .annotate(OpenApi.Summary, "Remove a tag from a database")
      .pipe(access("database.tag.remove"))
  )
  .annotate(OpenApi.Description, "Variables, storages and tags of databases.") {}
