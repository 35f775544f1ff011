CREATE INDEX repository_by_name_key ON repository (name_key, id) INCLUDE (owner_id, private, owner_visibility, user_id, organization_id, units);

CREATE INDEX repository_owner_by_name_key ON repository (owner_id, name_key, id) INCLUDE (private, owner_visibility, user_id, organization_id, units);

CREATE INDEX repository_by_created_at ON repository (created_at, id) INCLUDE (owner_id, private, owner_visibility, user_id, organization_id, units);

CREATE INDEX repository_owner_by_created_at ON repository (owner_id, created_at, id) INCLUDE (private, owner_visibility, user_id, organization_id, units);

CREATE INDEX repository_by_updated_at ON repository (updated_at, id) INCLUDE (owner_id, private, owner_visibility, user_id, organization_id, units);

CREATE INDEX repository_owner_by_updated_at ON repository (owner_id, updated_at, id) INCLUDE (private, owner_visibility, user_id, organization_id, units);

CREATE INDEX repository_by_size ON repository (size, id) INCLUDE (owner_id, private, owner_visibility, user_id, organization_id, units);

CREATE INDEX repository_owner_by_size ON repository (owner_id, size, id) INCLUDE (private, owner_visibility, user_id, organization_id, units);

CREATE INDEX repository_by_stars ON repository (stars, id) INCLUDE (owner_id, private, owner_visibility, user_id, organization_id, units);

CREATE INDEX repository_owner_by_stars ON repository (owner_id, stars, id) INCLUDE (private, owner_visibility, user_id, organization_id, units);

CREATE INDEX repository_by_forks ON repository (forks, id) INCLUDE (owner_id, private, owner_visibility, user_id, organization_id, units);

CREATE INDEX repository_owner_by_forks ON repository (owner_id, forks, id) INCLUDE (private, owner_visibility, user_id, organization_id, units);
