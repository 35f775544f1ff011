import { blockSize } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** The default settings, as of this migration, of the application that is created for each existing service. */
const settings = `{
  "git_repository": null, "git_branch": null, "git_commit_sha": "HEAD", "build_pack": "dockercompose",
  "dockerfile": null, "dockerfile_location": "/Dockerfile", "docker_compose_location": "/docker-compose.yaml",
  "docker_compose_custom_start_command": "", "docker_compose_custom_build_command": "",
  "docker_compose_domains": [], "docker_registry_image_name": "", "docker_registry_image_tag": "",
  "base_directory": "/", "publish_directory": "/", "watch_paths": "", "name": null, "description": "",
  "domains": "", "ports_exposes": "", "ports_mappings": "", "is_static": false, "is_spa": false,
  "static_image": "nginx:alpine", "install_command": "", "build_command": "", "start_command": "",
  "pre_deployment_command": "", "pre_deployment_command_container": "", "post_deployment_command": "",
  "post_deployment_command_container": "", "is_auto_deploy_enabled": true, "is_commit_skip_enabled": true,
  "is_force_https_enabled": true, "stop_grace_period": null, "instant_deploy": false, "use_build_server": null,
  "connect_to_docker_network": false, "force_domain_override": false, "autogenerate_domain": false,
  "is_container_label_escape_enabled": true, "is_preserve_repository_enabled": false,
  "is_git_submodules_enabled": true, "is_git_lfs_enabled": true, "is_preview_deployments_enabled": false,
  "preview_url_template": "{{pr_id}}.{{domain}}", "is_gzip_enabled": false, "is_stripprefix_enabled": false,
  "noindex_domains": [], "disable_build_cache": false, "include_source_commit_in_build": false,
  "is_env_sorting_enabled": false, "docker_images_to_keep": null, "redirect": null,
  "health_check_enabled": false, "health_check_path": "/", "health_check_port": null, "health_check_host": null,
  "health_check_method": "GET", "health_check_return_code": 200, "health_check_scheme": "http",
  "health_check_response_text": null, "health_check_interval": 5, "health_check_timeout": 5,
  "health_check_retries": 10, "health_check_start_period": 5, "limits_memory": "0", "limits_memory_swap": "0",
  "limits_memory_swappiness": 60, "limits_memory_reservation": "0", "limits_cpus": "0", "limits_cpuset": null,
  "limits_cpu_shares": 1024, "custom_labels": "", "custom_docker_run_options": "",
  "is_http_basic_auth_enabled": false, "http_basic_auth_username": null
}`

/**
 * Adds for each service the application that runs it, with the same uuid. Lists and counts of applications omit it.
 *
 * Adds templates and parts of services, and storages that belong to one compose service.
 */
export const servicesRun: Migration = {
  name: "0046_services_run",
  up: [
    `ALTER TABLE service
      ADD COLUMN template text,
      ADD COLUMN connects_to_network boolean NOT NULL DEFAULT false,
      ADD COLUMN parts jsonb NOT NULL DEFAULT '[]'`,
    `ALTER TABLE storage ADD COLUMN service text COLLATE "C"`,
    `ALTER TABLE storage DROP CONSTRAINT storage_application_uuid_mount_path_key`,
    `CREATE UNIQUE INDEX storage_path ON storage (application_uuid, coalesce(service, ''), mount_path)`,
    `CREATE INDEX application_listed ON application (id) WHERE variant <> 'service'`,
    `CREATE INDEX application_of_service ON application (id) WHERE variant = 'service'`,
    `CREATE FUNCTION count_listed_applications() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      step record;
    BEGIN
      FOR step IN
        SELECT changed.id / ${blockSize} AS block, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS amount
        FROM changed WHERE changed.variant <> 'service' GROUP BY 1
      LOOP
        UPDATE row_count SET amount = row_count.amount + step.amount
        WHERE id = (
          SELECT free.id FROM row_count free
          WHERE free.kind = TG_TABLE_NAME AND free.block = step.block
          LIMIT 1 FOR UPDATE SKIP LOCKED
        );
        IF NOT FOUND THEN
          INSERT INTO row_count (kind, block, amount) VALUES (TG_TABLE_NAME, step.block, step.amount);
        END IF;
      END LOOP;
      RETURN NULL;
    END
    $$`,
    ...[
      ["added", "INSERT", "NEW"],
      ["removed", "DELETE", "OLD"]
    ].flatMap(([name, event, rows]) => [
      `DROP TRIGGER application_${name} ON application`,
      `CREATE TRIGGER application_${name} AFTER ${event} ON application
        REFERENCING ${rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_listed_applications()`
    ]),
    `INSERT INTO application (
      uuid, variant, environment_uuid, server_uuid, destination_uuid, configuration, secrets, created_at, updated_at
    )
    SELECT uuid, 'service', environment_uuid, server_uuid, destination_uuid,
      '${settings}'::jsonb || jsonb_build_object(
        'name', name,
        'git_commit_sha', encode(sha256(convert_to(docker_compose_raw, 'UTF8')), 'hex'),
        'docker_compose_domains', (
          SELECT coalesce(jsonb_agg(jsonb_build_object('name', url ->> 'name', 'domain', url ->> 'url') ORDER BY place), '[]')
          FROM jsonb_array_elements(urls) WITH ORDINALITY AS each (url, place)
        )
      ),
      '{}', created_at, updated_at
    FROM service ORDER BY id`
  ]
}
