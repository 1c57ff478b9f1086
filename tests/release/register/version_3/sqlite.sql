BEGIN TRANSACTION;
CREATE TABLE biombo_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            release_id BIGINT NOT NULL REFERENCES biombo_releases (id),
            kind TEXT NOT NULL,
            happened TEXT NOT NULL,
            note TEXT,
            who TEXT,
            next_review TEXT
        );
INSERT INTO "biombo_events" VALUES(1,1,'registered','2026-11-16T12:04:51+00:00',NULL,'ana',NULL);
INSERT INTO "biombo_events" VALUES(2,1,'reviewed','2026-11-16T12:04:51+00:00','nothing new: 100% of ''it''?','bia','2028-01-31');
INSERT INTO "biombo_events" VALUES(3,2,'registered','2026-11-16T12:04:51+00:00',NULL,'ana',NULL);
INSERT INTO "biombo_events" VALUES(4,2,'breached','2026-11-16T12:04:51+00:00','laptop stolen','caio',NULL);
INSERT INTO "biombo_events" VALUES(5,2,'revoked','2026-11-16T12:04:51+00:00','too old','davi',NULL);
CREATE TABLE biombo_register (version INTEGER NOT NULL);
INSERT INTO "biombo_register" VALUES(3);
CREATE TABLE biombo_releases (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            what TEXT NOT NULL,
            department TEXT NOT NULL,
            release_model TEXT NOT NULL,
            recipients TEXT NOT NULL,
            access TEXT NOT NULL,
            plan_hash TEXT NOT NULL,
            smallest_group BIGINT NOT NULL,
            risk DOUBLE PRECISION NOT NULL,
            threshold DOUBLE PRECISION NOT NULL,
            override_reason TEXT,
            controls TEXT NOT NULL,
            review TEXT NOT NULL,
            manifest_hash TEXT UNIQUE
        , risk_basis TEXT);
INSERT INTO "biombo_releases" VALUES(1,'Atendimentos 2025 – saúde','Vigilância','public','[]','online','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',10,0.1,0.1,NULL,'[]','2027-01-31','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',NULL);
INSERT INTO "biombo_releases" VALUES(2,'Visits','Health','controlled','["University", "Institute"]','on-site','cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc',2,0.025,0.01,'a court asked','["view-only", "a contract; signed"]','2026-06-30',NULL,NULL);
CREATE TRIGGER biombo_releases_update BEFORE UPDATE ON biombo_releases BEGIN SELECT RAISE(ABORT, 'a register is only added to'); END;
CREATE TRIGGER biombo_releases_delete BEFORE DELETE ON biombo_releases BEGIN SELECT RAISE(ABORT, 'a register is only added to'); END;
CREATE TRIGGER biombo_events_update BEFORE UPDATE ON biombo_events BEGIN SELECT RAISE(ABORT, 'a register is only added to'); END;
CREATE TRIGGER biombo_events_delete BEFORE DELETE ON biombo_events BEGIN SELECT RAISE(ABORT, 'a register is only added to'); END;
CREATE INDEX biombo_events_of_release ON biombo_events (release_id);
CREATE TRIGGER biombo_register_update BEFORE UPDATE ON biombo_register BEGIN SELECT RAISE(ABORT, 'a register is only added to'); END;
CREATE TRIGGER biombo_register_delete BEFORE DELETE ON biombo_register BEGIN SELECT RAISE(ABORT, 'a register is only added to'); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('biombo_releases',2);
INSERT INTO "sqlite_sequence" VALUES('biombo_events',5);
COMMIT;
