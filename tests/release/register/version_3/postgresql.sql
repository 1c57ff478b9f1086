SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.biombo_only_added_to() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a register is only added to'; END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.biombo_events (
    id bigint NOT NULL,
    release_id bigint NOT NULL,
    kind text NOT NULL,
    happened text NOT NULL,
    note text,
    who text,
    next_review text
);
ALTER TABLE public.biombo_events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.biombo_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.biombo_register (
    version integer NOT NULL
);
CREATE TABLE public.biombo_releases (
    id bigint NOT NULL,
    what text NOT NULL,
    department text NOT NULL,
    release_model text NOT NULL,
    recipients text NOT NULL,
    access text NOT NULL,
    plan_hash text NOT NULL,
    smallest_group bigint NOT NULL,
    risk double precision NOT NULL,
    threshold double precision NOT NULL,
    override_reason text,
    controls text NOT NULL,
    review text NOT NULL,
    manifest_hash text,
    risk_basis text
);
ALTER TABLE public.biombo_releases ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.biombo_releases_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO public.biombo_events OVERRIDING SYSTEM VALUE VALUES (1, 1, 'registered', '2026-11-16T12:04:51+00:00', NULL, 'ana', NULL);
INSERT INTO public.biombo_events OVERRIDING SYSTEM VALUE VALUES (2, 1, 'reviewed', '2026-11-16T12:04:51+00:00', 'nothing new: 100% of ''it''?', 'bia', '2028-01-31');
INSERT INTO public.biombo_events OVERRIDING SYSTEM VALUE VALUES (3, 2, 'registered', '2026-11-16T12:04:51+00:00', NULL, 'ana', NULL);
INSERT INTO public.biombo_events OVERRIDING SYSTEM VALUE VALUES (4, 2, 'breached', '2026-11-16T12:04:51+00:00', 'laptop stolen', 'caio', NULL);
INSERT INTO public.biombo_events OVERRIDING SYSTEM VALUE VALUES (5, 2, 'revoked', '2026-11-16T12:04:51+00:00', 'too old', 'davi', NULL);
INSERT INTO public.biombo_register VALUES (3);
INSERT INTO public.biombo_releases OVERRIDING SYSTEM VALUE VALUES (1, 'Atendimentos 2025 – saúde', 'Vigilância', 'public', '[]', 'online', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 10, 0.1, 0.1, NULL, '[]', '2027-01-31', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', NULL);
INSERT INTO public.biombo_releases OVERRIDING SYSTEM VALUE VALUES (2, 'Visits', 'Health', 'controlled', '["University", "Institute"]', 'on-site', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 2, 0.025, 0.01, 'a court asked', '["view-only", "a contract; signed"]', '2026-06-30', NULL, NULL);
SELECT pg_catalog.setval('public.biombo_events_id_seq', 5, true);
SELECT pg_catalog.setval('public.biombo_releases_id_seq', 2, true);
ALTER TABLE ONLY public.biombo_events
    ADD CONSTRAINT biombo_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.biombo_releases
    ADD CONSTRAINT biombo_releases_manifest_hash_key UNIQUE (manifest_hash);
ALTER TABLE ONLY public.biombo_releases
    ADD CONSTRAINT biombo_releases_pkey PRIMARY KEY (id);
CREATE INDEX biombo_events_of_release ON public.biombo_events USING btree (release_id);
CREATE TRIGGER biombo_events_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON public.biombo_events FOR EACH STATEMENT EXECUTE FUNCTION public.biombo_only_added_to();
CREATE TRIGGER biombo_register_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON public.biombo_register FOR EACH STATEMENT EXECUTE FUNCTION public.biombo_only_added_to();
CREATE TRIGGER biombo_releases_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON public.biombo_releases FOR EACH STATEMENT EXECUTE FUNCTION public.biombo_only_added_to();
ALTER TABLE ONLY public.biombo_events
    ADD CONSTRAINT biombo_events_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.biombo_releases(id);
