-- A database as version 16 left it (sqlite3 .dump, plus the two pragmas that .dump leaves out). Never edited: files like
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
      tags TEXT NOT NULL,
      added_at_ms INTEGER NOT NULL,
      archived_at_ms INTEGER
    ) STRICT;
INSERT INTO boxes VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','train-a','generic-ssh','203.0.113.5',22001,'root','{"kind":"direct"}','{"identityFiles":[],"certificateFiles":[],"isOnlyIdentities":false,"forwardAgent":false}','{"hostKeyAlias":null,"knownHostsFiles":[],"keepaliveEveryS":null,"configHost":null,"configDigest":null}','["ablation","team müller"]',1763694900123,NULL);
INSERT INTO boxes VALUES('1b9e6c52-2f3d-4c8e-8f57-6a4d2c9e7702','zwölf''s sweep','generic-ssh','gpu.example',22,'ubuntu','{"kind":"jumps","hops":[{"address":{"host":"bastion.example","port":2200,"user":"me"},"identityFile":null},{"address":{"host":"10.0.0.4","port":22,"user":"me"},"identityFile":"~/.ssh/inner"}]}','{"identityFiles":["/home/me/.ssh/rented key"],"certificateFiles":[],"isOnlyIdentities":true,"forwardAgent":false}','{"hostKeyAlias":null,"knownHostsFiles":[],"keepaliveEveryS":5,"configHost":"sweep","configDigest":"abc"}','[]',1763694999000,1763699000000);
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
CREATE TABLE history_boxes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      box_id TEXT NOT NULL UNIQUE REFERENCES boxes (id) ON DELETE CASCADE
    ) STRICT;
INSERT INTO history_boxes VALUES(1,'7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01');
CREATE TABLE history_gpus (
      box INTEGER NOT NULL,
      slot INTEGER NOT NULL,
      gpu TEXT NOT NULL,
      gpu_index INTEGER,
      name TEXT,
      PRIMARY KEY (box, slot),
      UNIQUE (box, gpu)
    ) STRICT, WITHOUT ROWID;
INSERT INTO history_gpus VALUES(1,0,'GPU-11112222-3333-4444-5555-666677778888',0,'NVIDIA H100 80GB HBM3');
CREATE TABLE history (
      box INTEGER NOT NULL,
      tier INTEGER NOT NULL,
      start_s INTEGER NOT NULL,
      buckets BLOB NOT NULL,
      PRIMARY KEY (box, tier, start_s)
    ) STRICT, WITHOUT ROWID;
INSERT INTO history VALUES(1,60,1763697000,X'01010001003c0900e704e7048103b418f812c01d');
CREATE TABLE history_gaps (
      box INTEGER NOT NULL,
      from_ms INTEGER NOT NULL,
      to_ms INTEGER NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (box, from_ms)
    ) STRICT, WITHOUT ROWID;
INSERT INTO history_gaps VALUES(1,1763696400000,1763697000000,'link-down');
CREATE TABLE history_throttle (
      box INTEGER NOT NULL,
      slot INTEGER NOT NULL,
      from_ms INTEGER NOT NULL,
      to_ms INTEGER NOT NULL,
      bits INTEGER NOT NULL,
      PRIMARY KEY (box, slot, from_ms)
    ) STRICT, WITHOUT ROWID;
INSERT INTO history_throttle VALUES(1,0,1763697000000,1763697030000,4);
CREATE TABLE history_marks (
      seq INTEGER PRIMARY KEY,
      box INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      kind TEXT NOT NULL,
      gpu TEXT,
      text TEXT NOT NULL,
      code INTEGER,
      clue TEXT
    ) STRICT;
INSERT INTO history_marks VALUES(1,1,1763697005000,'xid','GPU-11112222-3333-4444-5555-666677778888','Xid 79: GPU has fallen off the bus',79,'NVRM: Xid (PCI:0000:19:00): 79, GPU has fallen off the bus.');
CREATE TABLE gpu_refusals (
      box_id TEXT NOT NULL REFERENCES boxes (id) ON DELETE CASCADE,
      driver TEXT NOT NULL,
      refused TEXT NOT NULL,
      PRIMARY KEY (box_id, driver)
    ) STRICT, WITHOUT ROWID;
INSERT INTO gpu_refusals VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','550.90.07','["clocks_event_reasons.active"]');
CREATE TABLE ledger_corrections (
      box_id TEXT NOT NULL,
      no INTEGER NOT NULL,
      voids INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      by_whom TEXT NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (box_id, no)
    ) STRICT, WITHOUT ROWID;
INSERT INTO ledger_corrections VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',3,2,1763702000000,'person','It was off: Größe geändert');
CREATE TABLE ledger_intervals (
      box_id TEXT NOT NULL,
      no INTEGER NOT NULL,
      from_ms INTEGER NOT NULL,
      ms INTEGER NOT NULL,
      phase TEXT NOT NULL,
      source TEXT NOT NULL,
      charges TEXT NOT NULL,
      life TEXT,
      PRIMARY KEY (box_id, no)
    ) STRICT, WITHOUT ROWID;
INSERT INTO ledger_intervals VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',1,1763697000000,3600000,'running','observed','[{"kind":"compute","what":"GPU time","rate":{"micros":2490000,"currency":"USD","per":"hour"}},{"kind":"storage","what":"volume disk","rate":null}]','{"id":"b1/12","upForMs":60000}');
INSERT INTO ledger_intervals VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',2,1763700600000,900000,'running','unresolved','[{"kind":"compute","what":"GPU time","rate":{"micros":2490000,"currency":"USD","per":"hour"}},{"kind":"storage","what":"volume disk","rate":null}]',NULL);
INSERT INTO ledger_intervals VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',4,1763700600000,900000,'running','manual','[]',NULL);
CREATE TABLE ledger_transfers (
      box_id TEXT NOT NULL,
      no INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      what TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      rate TEXT, source TEXT NOT NULL DEFAULT 'manual',
      PRIMARY KEY (box_id, no)
    ) STRICT, WITHOUT ROWID;
INSERT INTO ledger_transfers VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',5,1763702100000,'pull',41000000000,'{"micros":90000,"currency":"USD","per":"GB"}','manual');
INSERT INTO ledger_transfers VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',6,1763702200000,'received',734003200,NULL,'measured');
CREATE TABLE meter_entries (
      box_id TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      said_at_ms INTEGER NOT NULL,
      PRIMARY KEY (box_id, key)
    ) STRICT, WITHOUT ROWID;
INSERT INTO meter_entries VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','note','{"a":1}',1763702200000);
CREATE TABLE sent_secrets (
      box_id TEXT NOT NULL REFERENCES boxes (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      name TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      sent_at_ms INTEGER NOT NULL,
      PRIMARY KEY (box_id, path)
    ) STRICT;
INSERT INTO sent_secrets VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','~/.config/leasehold/HF_TOKEN','HF_TOKEN',37,1763703000000);
CREATE TABLE ledger_idle (
      box_id TEXT NOT NULL,
      from_ms INTEGER NOT NULL,
      to_ms INTEGER NOT NULL,
      PRIMARY KEY (box_id, from_ms)
    ) STRICT, WITHOUT ROWID;
INSERT INTO ledger_idle VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',1763698200000,1763699100000);
CREATE TABLE notes (
      about TEXT NOT NULL PRIMARY KEY,
      box_id TEXT REFERENCES boxes (id) ON DELETE CASCADE,
      text TEXT NOT NULL,
      saved_at_ms INTEGER NOT NULL
    ) STRICT;
INSERT INTO notes VALUES('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','Daten liegen auf /data; HF_TOKEN in ~/.hf_token',1763704000000);
INSERT INTO notes VALUES('project',NULL,'seed 7 is the baseline',1763704000001);
CREATE TABLE alerts (
      id TEXT PRIMARY KEY,
      box_id TEXT NOT NULL REFERENCES boxes (id) ON DELETE CASCADE,
      opened_at_ms INTEGER NOT NULL,
      resolved_at_ms INTEGER,
      alert TEXT NOT NULL
    ) STRICT;
INSERT INTO alerts VALUES('5f6a3f0e-58a4-4f0f-9a35-0d6b1a0f5c01','7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',1763698200000,NULL,'{"id":"5f6a3f0e-58a4-4f0f-9a35-0d6b1a0f5c01","finding":{"detector":"U23","title":"Thermal or power throttling quietly takes 25-40%","subject":{"kind":"gpu","index":0,"uuid":"GPU-a"},"severity":"warn","headline":"GPU 0 is held at 50 % of its clock: power brake.","means":"The power supply pulled the brake.","fix":["Rent a healthier box"],"wastedShare":0.25,"caveat":null,"sinceMs":1763698200000,"lastSeenMs":1763699000000,"costPerHour":{"micros":622500,"currency":"USD"},"notSeenBecause":null,"clues":[{"kind":"figure","label":"SM clock","value":705.5,"unit":"MHz","windowMs":30000},{"kind":"line","line":"clocks 0x88"}]},"stage":{"kind":"seen","atMs":1763698300000},"worst":"warn","told":"warn","spans":[{"fromMs":1763698200000,"lastSeenMs":1763699000000,"toMs":null}],"cost":{"amounts":[{"micros":138333,"currency":"USD"}],"seenMs":800000,"unpricedMs":0},"steps":[{"kind":"opened","atMs":1763698200000,"severity":"warn"},{"kind":"seen","atMs":1763698300000}]}');
CREATE TABLE evidence (
      seq INTEGER PRIMARY KEY,
      at_ms INTEGER NOT NULL,
      kind TEXT NOT NULL,
      box_id TEXT NOT NULL,
      about TEXT NOT NULL,
      body TEXT NOT NULL,
      previous TEXT NOT NULL,
      hash TEXT NOT NULL
    ) STRICT;
INSERT INTO evidence VALUES(1,1763705000000,'pull','7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01','r1','{"runId":"r1"}','0000000000000000000000000000000000000000000000000000000000000000','759385cbaf5a0c5ca5a985002861a16c1fef4aae4e3ee05661d3ccaade4ca3fe');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('history_boxes',1);
CREATE INDEX host_keys_by_machine ON host_keys (machine_id);
CREATE UNIQUE INDEX one_current_host_key ON host_keys (machine_id) WHERE replaced_at_ms IS NULL;
CREATE INDEX tunnels_by_box ON tunnels (box_id);
CREATE INDEX history_marks_by_box ON history_marks (box, at_ms);
CREATE INDEX alerts_by_box ON alerts (box_id, resolved_at_ms);
CREATE INDEX evidence_about ON evidence (box_id, about, kind, seq);
CREATE TRIGGER evidence_stays BEFORE UPDATE ON evidence
      BEGIN SELECT RAISE(ABORT, 'evidence is never changed'); END;
CREATE TRIGGER evidence_is_kept BEFORE DELETE ON evidence
      BEGIN SELECT RAISE(ABORT, 'evidence is never removed'); END;
CREATE UNIQUE INDEX one_living_box_at_an_address ON boxes (host, port, user, route) WHERE archived_at_ms IS NULL;
COMMIT;
PRAGMA user_version = 16;
PRAGMA application_id = 1282631729;
