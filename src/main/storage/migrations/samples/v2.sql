-- A database as version 2 left it (sqlite3 .dump, plus the two pragmas that .dump leaves out). Never edited: files like
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
CREATE TABLE host_keys (
      id INTEGER PRIMARY KEY,
      box_id TEXT NOT NULL REFERENCES boxes (id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      public_key TEXT NOT NULL,
      stored_at_ms INTEGER NOT NULL,
      replaced_at_ms INTEGER
    ) STRICT;
INSERT INTO host_keys VALUES(1,'7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','ssh-ed25519','SHA256:RXm/ruZ0eTzRXKwi1AQEDynB0VgHQ2ac9KPSFdf/YnA','AAAAC3NzaC1lZDI1NTE5AAAAIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB',1763694950000,1763695950000);
INSERT INTO host_keys VALUES(2,'7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','ssh-ed25519','SHA256:baqJQcVDEweKmw1OiZxGooCG2MGxYtwsQQzzOstxmiA','AAAAC3NzaC1lZDI1NTE5AAAAIAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC',1763695950000,NULL);
INSERT INTO host_keys VALUES(3,'1b9e6c52-2f3d-4c8e-8f57-6a4d2c9e7702','ssh-ed25519','SHA256:gnDfULwoGkHCZ0cpikt5ZjeLoa9Yyo7dmFepI3UZQWc','AAAAC3NzaC1lZDI1NTE5AAAAIAMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD',1763696950000,NULL);
CREATE TABLE hop_host_keys (
      machine_id TEXT PRIMARY KEY,
      type TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      public_key TEXT NOT NULL,
      stored_at_ms INTEGER NOT NULL
    ) STRICT;
INSERT INTO hop_host_keys VALUES('hop:bastion.example:2200','ssh-ed25519','SHA256:RXm/ruZ0eTzRXKwi1AQEDynB0VgHQ2ac9KPSFdf/YnA','AAAAC3NzaC1lZDI1NTE5AAAAIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB',1763696950000);
CREATE INDEX host_keys_by_box ON host_keys (box_id);
CREATE UNIQUE INDEX one_current_host_key ON host_keys (box_id) WHERE replaced_at_ms IS NULL;
COMMIT;
PRAGMA user_version = 2;
PRAGMA application_id = 1282631729;
