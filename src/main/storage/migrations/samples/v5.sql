-- A database as version 5 left it (sqlite3 .dump, plus the two pragmas that .dump leaves out). Never edited: files like
-- this exist on people's machines.
BEGIN TRANSACTION;
CREATE TABLE "boxes" (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      platform TEXT NOT NULL,
      host TEXT NOT NULL COLLATE NOCASE,
      port INTEGER NOT NULL,
      user TEXT NOT NULL,
      route TEXT NOT NULL,
      login TEXT NOT NULL,
      options TEXT NOT NULL,
      added_at_ms INTEGER NOT NULL,
      UNIQUE (host, port, user, route)
    ) STRICT;
INSERT INTO boxes VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','train-a','generic-ssh','203.0.113.5',22001,'root','{"kind":"direct"}','{"identityFiles":[],"certificateFiles":[],"isOnlyIdentities":false,"forwardAgent":false}','{"hostKeyAlias":null,"knownHostsFiles":[],"keepaliveEveryS":null,"configHost":null,"configDigest":null}',1763694900123);
INSERT INTO boxes VALUES('1b9e6c52-2f3d-4c8e-8f57-6a4d2c9e7702','zwölf''s sweep','generic-ssh','gpu.example',22,'ubuntu','{"kind":"jumps","hops":[{"address":{"host":"bastion.example","port":2200,"user":"me"},"identityFile":null},{"address":{"host":"10.0.0.4","port":22,"user":"me"},"identityFile":"~/.ssh/inner"}]}','{"identityFiles":["/home/me/.ssh/rented key"],"certificateFiles":[],"isOnlyIdentities":true,"forwardAgent":false}','{"hostKeyAlias":null,"knownHostsFiles":[],"keepaliveEveryS":5,"configHost":"sweep","configDigest":"abc"}',1763694999000);
CREATE TABLE "host_keys" (
      id INTEGER PRIMARY KEY,
      machine_id TEXT NOT NULL,
      host TEXT NOT NULL COLLATE NOCASE,
      port INTEGER NOT NULL,
      type TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      public_key TEXT NOT NULL,
      trusted_by TEXT NOT NULL,
      trusted_where TEXT,
      stored_at_ms INTEGER NOT NULL,
      last_seen_ms INTEGER,
      replaced_at_ms INTEGER,
      replaced_because TEXT
    ) STRICT;
INSERT INTO host_keys VALUES(1,'7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','203.0.113.5',22001,'ssh-ed25519','SHA256:RXm/ruZ0eTzRXKwi1AQEDynB0VgHQ2ac9KPSFdf/YnA','AAAAC3NzaC1lZDI1NTE5AAAAIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB','known-hosts','~/.ssh/known_hosts, line 7',1763694950000,NULL,1763695950000,'new-machine');
INSERT INTO host_keys VALUES(2,'7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','203.0.113.5',22001,'ssh-ed25519','SHA256:baqJQcVDEweKmw1OiZxGooCG2MGxYtwsQQzzOstxmiA','AAAAC3NzaC1lZDI1NTE5AAAAIAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC','new-machine-name',NULL,1763695950000,1763696000000,NULL,NULL);
INSERT INTO host_keys VALUES(3,'1b9e6c52-2f3d-4c8e-8f57-6a4d2c9e7702','gpu.example',22,'ssh-ed25519','SHA256:gnDfULwoGkHCZ0cpikt5ZjeLoa9Yyo7dmFepI3UZQWc','AAAAC3NzaC1lZDI1NTE5AAAAIAMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD','not-recorded',NULL,1763696950000,NULL,NULL,NULL);
INSERT INTO host_keys VALUES(4,'hop:bastion.example:2200','bastion.example',2200,'ssh-ed25519','SHA256:gnDfULwoGkHCZ0cpikt5ZjeLoa9Yyo7dmFepI3UZQWc','AAAAC3NzaC1lZDI1NTE5AAAAIAMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD','compared',NULL,1763697000000,NULL,NULL,NULL);
CREATE TABLE tunnels (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      box_id TEXT NOT NULL REFERENCES boxes (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      service TEXT NOT NULL,
      listen_port INTEGER NOT NULL,
      is_exposed INTEGER NOT NULL,
      target_host TEXT,
      target_port INTEGER,
      is_on INTEGER NOT NULL
    ) STRICT;
INSERT INTO tunnels VALUES(1,'9a1d5c1e-0c7e-4a53-8a44-3f1f7f6c1a01','7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','TensorBoard','local','tensorboard',6006,0,'127.0.0.1',6006,1);
INSERT INTO tunnels VALUES(2,'9a1d5c1e-0c7e-4a53-8a44-3f1f7f6c1a02','7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','proxy','dynamic','tcp',1080,0,NULL,NULL,0);
CREATE INDEX host_keys_by_machine ON host_keys (machine_id);
CREATE UNIQUE INDEX one_current_host_key ON host_keys (machine_id) WHERE replaced_at_ms IS NULL;
CREATE INDEX tunnels_by_box ON tunnels (box_id);
COMMIT;
PRAGMA user_version = 5;
PRAGMA application_id = 1282631729;
