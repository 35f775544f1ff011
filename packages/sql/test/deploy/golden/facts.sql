
  WITH
  found_project AS MATERIALIZED (
    SELECT uuid, team_id FROM project WHERE uuid = $1 FOR KEY SHARE
  ),
  found_environment_by_name AS MATERIALIZED (
    SELECT uuid, project_uuid, team_id, name, is_protected FROM environment
    WHERE project_uuid = $2
      AND name_key = $3
    FOR KEY SHARE
  ),
  found_environment_by_uuid AS MATERIALIZED (
    SELECT uuid, project_uuid, team_id, name, is_protected FROM environment WHERE uuid = $4 FOR KEY SHARE
  ),
  found_server AS MATERIALIZED (
    SELECT uuid, team_id, name, ip, wildcard_domain FROM server WHERE uuid = $5 FOR KEY SHARE
  ),
  found_destinations AS MATERIALIZED (
    SELECT id, uuid, server_uuid, name FROM destination WHERE server_uuid = $6 FOR KEY SHARE
  ),
  found_destination AS MATERIALIZED (
    SELECT uuid, server_uuid, name FROM destination WHERE uuid = $7 FOR KEY SHARE
  ),
  found_private_key AS MATERIALIZED (
    SELECT uuid, team_id FROM private_key WHERE uuid = $8 FOR KEY SHARE
  ),
  found_forge_app AS MATERIALIZED (
    SELECT uuid, team_id FROM forge_app WHERE uuid = $9 FOR KEY SHARE
  )
  SELECT
    (SELECT json_build_object('uuid', uuid, 'teamId', team_id) FROM found_project) AS "project",
    (SELECT json_build_object('uuid', uuid, 'projectUuid', project_uuid, 'teamId', team_id, 'name', name,
        'isProtected', is_protected)
      FROM found_environment_by_name) AS "environmentByName",
    (SELECT json_build_object('uuid', uuid, 'projectUuid', project_uuid, 'teamId', team_id, 'name', name,
        'isProtected', is_protected)
      FROM found_environment_by_uuid) AS "environmentByUuid",
    (SELECT json_build_object('uuid', uuid, 'teamId', team_id, 'name', name, 'ip', ip, 'wildcardDomain', wildcard_domain)
      FROM found_server) AS "server",
    (SELECT coalesce(
        json_agg(json_build_object('uuid', uuid, 'serverUuid', server_uuid, 'name', name,
        'teamId', (SELECT team_id FROM server WHERE server.uuid = server_uuid)) ORDER BY id),
        '[]'
      ) FROM found_destinations) AS "destinations",
    (SELECT json_build_object('uuid', uuid, 'serverUuid', server_uuid, 'name', name,
        'teamId', (SELECT team_id FROM server WHERE server.uuid = server_uuid))
      FROM found_destination) AS "destination",
    (SELECT json_build_object('uuid', uuid, 'teamId', team_id) FROM found_private_key) AS "privateKey",
    (SELECT json_build_object('uuid', uuid, 'teamId', team_id) FROM found_forge_app) AS "forgeApp"