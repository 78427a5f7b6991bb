{{- define "brettwerk.name" -}}
{{- $own := .Values.nameOverride | default .Chart.Name -}}
{{- if .Values.fullnameOverride -}}{{ .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains $own .Release.Name -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else -}}{{ printf "%s-%s" .Release.Name $own | trunc 40 | trimSuffix "-" }}{{- end -}}
{{- end -}}

{{/* The labels of everything; call with (list $ "component"). */}}
{{- define "brettwerk.labels" -}}
{{- $root := index . 0 -}}
{{ include "brettwerk.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: brettwerk
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- end -}}

{{- define "brettwerk.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: brettwerk
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "brettwerk.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "brettwerk.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "brettwerk.tls" -}}{{ ne .Values.tls.mode "off" }}{{- end -}}

{{/* Seconds from SIGTERM to the last moment that a component may take: three ends of at most grace each, after the drain. */}}
{{- define "brettwerk.termination" -}}
{{ add .Values.drainSeconds (mul 3 .Values.graceSeconds) 5 }}
{{- end -}}

{{- define "brettwerk.secretName" -}}
{{ .Values.secretKey.existingSecret | default (printf "%s-secret" (include "brettwerk.name" .)) }}
{{- end -}}

{{- define "brettwerk.innerKeyName" -}}
{{ .Values.innerKey.existingSecret | default (printf "%s-inner-key" (include "brettwerk.name" .)) }}
{{- end -}}

{{- define "brettwerk.pushKeyName" -}}
{{ ((.Values.notifications).push | default dict).existingSecret | default (printf "%s-push-key" (include "brettwerk.name" .)) }}
{{- end -}}

{{- define "brettwerk.redisPasswordName" -}}
{{ .Values.redis.passwordSecret | default (printf "%s-redis-password" (include "brettwerk.name" .)) }}
{{- end -}}

{{/* The environment that leads to a store; call with (list $ "sessions" "BRETTWERK_REDIS_URL").
A variable that takes a value once and a reference another time cannot be changed back: server-side apply leaves an empty
reference behind. So references have variables of their own. */}}
{{- define "brettwerk.store" -}}
{{- $root := index . 0 -}}{{- $store := index . 1 -}}{{- $values := index $root.Values.redis $store -}}
{{- if $values.enabled }}
- name: REDIS_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ include "brettwerk.redisPasswordName" $root }}, key: {{ $store }} } }
- name: {{ index . 2 }}
  {{- $host := printf "%s-redis-%s" (include "brettwerk.name" $root) $store }}
  {{- $scheme := ternary "rediss" "redis" (eq (include "brettwerk.tls" $root) "true") }}
  {{- $query := ternary "?ssl_cert_reqs=required&ssl_ca_certs=/tls/ca.crt" "" (eq $scheme "rediss") }}
  {{- if gt (int $values.replicas) 1 }}
  {{- $guards := list }}
  {{- range $at := until (int $values.replicas) }}{{ $guards = append $guards (printf "%s:26379" (include "brettwerk.storeHost" (list $root $store $at))) }}{{ end }}
  value: "{{ ternary "rediss+sentinel" "sentinel" (eq $scheme "rediss") }}://:$(REDIS_PASSWORD)@{{ join "," $guards }}/{{ $host }}/0{{ $query }}"
  {{- else }}
  {{- /* The first server by its own name: when several are made of one, that of all leads to new ones, too, which know nothing yet. */}}
  {{- $isNamed := hasSuffix "-each-tls" (include "brettwerk.storeCertificate" (list $root $store)) }}
  value: "{{ $scheme }}://:$(REDIS_PASSWORD)@{{ ternary (include "brettwerk.storeHost" (list $root $store 0)) $host $isNamed }}:6379/0{{ $query }}"
  {{- end }}
{{- else if $values.existingSecret }}
- name: REDIS_URL
  valueFrom: { secretKeyRef: { name: {{ $values.existingSecret }}, key: url } }
- { name: {{ index . 2 }}, value: $(REDIS_URL) }
{{- else }}
- name: {{ index . 2 }}
  value: {{ required (printf "redis.%s.url or existingSecret is needed when redis.%s.enabled is false" $store $store) $values.url | quote }}
{{- end }}
{{- end -}}

{{/* By which name one of several servers of a store is reached; call with (list $ "sessions" number). */}}
{{- define "brettwerk.storeHost" -}}
{{- $root := index . 0 -}}{{- $set := printf "%s-redis-%s" (include "brettwerk.name" $root) (index . 1) -}}
{{ $set }}-{{ index . 2 }}.{{ $set }}.{{ $root.Release.Namespace }}.svc
{{- end -}}

{{/*
The labels of a store's pod while its one server is as 1.0.0 made it, and nothing otherwise; call with (list $ "sessions"). They
named the release, and its certificate had one name. As long as it stays the only one neither matters, and to change them would
start it again: meanwhile every game stands still.
*/}}
{{- define "brettwerk.formerStore" -}}
{{- $root := index . 0 -}}
{{- if le (int (index $root.Values.redis (index . 1)).replicas) 1 -}}
{{- with lookup "apps/v1" "StatefulSet" $root.Release.Namespace (printf "%s-redis-%s" (include "brettwerk.name" $root) (index . 1)) -}}
{{- $labels := .spec.template.metadata.labels -}}
{{- if hasKey $labels "app.kubernetes.io/version" }}{{ toYaml $labels }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The secret with a store's certificate; call with (list $ "sessions"). It names each of several servers. */}}
{{- define "brettwerk.storeCertificate" -}}
{{- $root := index . 0 -}}
{{- $isSingle := le (int (index $root.Values.redis (index . 1)).replicas) 1 -}}
{{- $isPlain := and $isSingle (or (eq $root.Values.tls.mode "secrets") (include "brettwerk.formerStore" .)) -}}
{{ include "brettwerk.name" $root }}-redis-{{ index . 1 }}{{ if not $isPlain }}-each{{ end }}-tls
{{- end -}}

{{/* The environment of every component; call with (list $ "component" values). */}}
{{- define "brettwerk.environment" -}}
{{- $root := index . 0 -}}{{- $component := index . 1 -}}{{- $values := index . 2 -}}{{- $name := include "brettwerk.name" $root -}}
- name: BRETTWERK_DRAIN_S
  value: {{ $root.Values.drainSeconds | quote }}
- name: BRETTWERK_GRACE_S
  value: {{ $root.Values.graceSeconds | quote }}
{{- if or (eq $component "session") (eq $component "gateway") }}
- name: BRETTWERK_SECRET_KEY
  valueFrom: { secretKeyRef: { name: {{ include "brettwerk.secretName" $root }}, key: secret-key } }
{{- end }}
- name: BRETTWERK_INNER_KEY
  valueFrom: { secretKeyRef: { name: {{ include "brettwerk.innerKeyName" $root }}, key: inner-key } }
- { name: BRETTWERK_INNER_AUTH, value: {{ $root.Values.innerKey.auth }} }
{{- if eq (include "brettwerk.tls" $root) "true" }}
- { name: BRETTWERK_TLS_CERTIFICATE, value: /tls/tls.crt }
- { name: BRETTWERK_TLS_KEY, value: /tls/tls.key }
- { name: BRETTWERK_TLS_AUTHORITY, value: /tls/ca.crt }
{{- end }}
{{- if $root.Values.tracing.endpoint }}
- { name: BRETTWERK_TRACE_ENDPOINT, value: {{ $root.Values.tracing.endpoint | quote }} }
- { name: BRETTWERK_TRACE_SHARE, value: {{ $root.Values.tracing.share | quote }} }
{{- end }}
{{- if eq $component "session" }}
- { name: BRETTWERK_RULES_LINK_ADDRESS, value: "{{ $name }}-rules:7811" }
- { name: BRETTWERK_AI_ADDRESS, value: "dns:///{{ $name }}-ai:7803" }
{{- include "brettwerk.store" (list $root "sessions" "BRETTWERK_REDIS_URL") }}
{{- if or $root.Values.database.existingSecret $root.Values.database.url }}
- name: DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ $root.Values.database.existingSecret | default (printf "%s-database" $name) }}, key: database-url } }
- { name: BRETTWERK_DATABASE_URL, value: $(DATABASE_URL) }
{{- else }}
- { name: BRETTWERK_DATABASE_URL, value: "sqlite:////data/archive.sqlite3" }
{{- end }}
{{- end }}
{{- if and (eq $component "ai") (eq (include "brettwerk.scaler" $root) "true") }}
- { name: BRETTWERK_SCALER_LISTEN, value: "[::]:7805" }
{{- end }}
{{- if has $component (list "session" "players") }}
{{- if not (hasKey $values.env "BRETTWERK_TALK") }}
- { name: BRETTWERK_TALK, value: {{ dig "enabled" true ($root.Values.talk | default dict) | quote }} }
{{- end }}
{{- if (($root.Values.talk).words) }}
- { name: BRETTWERK_TALK_WORDS, value: /talk/words.txt }
{{- end }}
{{- end }}
{{- if eq $component "players" }}
{{- if or $root.Values.database.existingSecret $root.Values.database.url }}
- name: DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ $root.Values.database.existingSecret | default (printf "%s-database" $name) }}, key: database-url } }
- { name: BRETTWERK_DATABASE_URL, value: $(DATABASE_URL) }
- { name: BRETTWERK_PLAYERS_DATABASE_URL, value: $(DATABASE_URL) }
{{- else }}
- { name: BRETTWERK_DATABASE_URL, value: "sqlite:////data/archive.sqlite3" }
- { name: BRETTWERK_PLAYERS_DATABASE_URL, value: "sqlite:////data/players.sqlite3" }
{{- end }}
{{- end }}
{{- if or (eq $component "gateway") (eq $component "session") }}
- { name: BRETTWERK_PLAYERS_ADDRESS, value: "dns:///{{ $name }}-players:7804" }
{{- end }}
{{- if or (eq $component "gateway") (eq $component "session") }}
- { name: BRETTWERK_SESSION_LINK_ADDRESS, value: "{{ $name }}-session:7812" }
{{- end }}
{{- if or (eq $component "worker") (eq $component "players") }}
- { name: BRETTWERK_SESSION_ADDRESS, value: "dns:///{{ $name }}-session:7802" }
{{- end }}
{{- if and (eq $component "gateway") $root.Values.gateway.endpointTls }}
- { name: BRETTWERK_GATEWAY_TLS, value: "true" }
{{- end }}
{{- if and (eq $component "gateway") (not (hasKey $values.env "BRETTWERK_OWN_HOSTS")) }}
- { name: BRETTWERK_OWN_HOSTS, value: {{ include "brettwerk.ownHosts" $root | quote }} }
{{- end }}
{{- if and (eq $component "players") (not (hasKey $values.env "BRETTWERK_SIGN_IN_ORIGINS")) }}
- { name: BRETTWERK_SIGN_IN_ORIGINS, value: {{ include "brettwerk.signInOrigins" $root | quote }} }
{{- end }}
{{- with and (or (eq $component "players") (eq $component "session")) ($root.Values.moderation).appealAddress }}
- { name: BRETTWERK_APPEAL_ADDRESS, value: {{ . | quote }} }
{{- end }}
{{- $openid := ($root.Values.signIn).openid | default dict }}
{{- if and (eq $component "players") $openid.issuer }}
- { name: BRETTWERK_OPENID_ISSUER, value: {{ $openid.issuer | quote }} }
- { name: BRETTWERK_OPENID_CLIENT_ID, value: {{ required "signIn.openid.clientId is needed with signIn.openid.issuer" $openid.clientId | quote }} }
{{- with $openid.existingSecret }}
- name: BRETTWERK_OPENID_CLIENT_SECRET
  valueFrom: { secretKeyRef: { name: {{ . }}, key: client-secret } }
{{- end }}
{{- with $openid.name }}
- { name: BRETTWERK_OPENID_NAME, value: {{ . | quote }} }
{{- end }}
{{- with $openid.scopes }}
- { name: BRETTWERK_OPENID_SCOPES, value: {{ join " " . | quote }} }
{{- end }}
{{- with $openid.roleClaim }}
- { name: BRETTWERK_OPENID_ROLE_CLAIM, value: {{ . | quote }} }
{{- end }}
{{- with $openid.moderators }}
- { name: BRETTWERK_OPENID_MODERATORS, value: {{ join "," . | quote }} }
{{- end }}
{{- with $openid.operators }}
- { name: BRETTWERK_OPENID_OPERATORS, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}
{{- $push := ($root.Values.notifications).push | default dict }}
{{- if and (eq $component "players") (not $push.enabled) }}
- { name: BRETTWERK_WEBHOOK_HOSTS, value: "" }
{{- end }}
{{- if and (eq $component "players") $push.enabled }}
- name: BRETTWERK_PUSH_KEY
  valueFrom: { secretKeyRef: { name: {{ include "brettwerk.pushKeyName" $root }}, key: push-key } }
{{- with $push.hosts }}
- { name: BRETTWERK_PUSH_HOSTS, value: {{ join "," . | quote }} }
{{- end }}
{{- with $push.contact }}
- { name: BRETTWERK_PUSH_CONTACT, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- $mail := ($root.Values.notifications).mail | default dict }}
{{- if and (eq $component "players") $mail.server }}
- { name: BRETTWERK_MAIL_SERVER, value: {{ $mail.server | quote }} }
- { name: BRETTWERK_MAIL_SECURITY, value: {{ $mail.security | default "starttls" }} }
- { name: BRETTWERK_MAIL_FROM, value: {{ required "notifications.mail.from is needed with notifications.mail.server" $mail.from | quote }} }
{{- with $mail.user }}
- { name: BRETTWERK_MAIL_USER, value: {{ . | quote }} }
{{- end }}
{{- with $mail.existingSecret }}
- name: BRETTWERK_MAIL_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ . }}, key: mail-password } }
{{- end }}
{{- end }}
{{- if or (eq $component "ai") (eq $component "players") (eq $component "worker") }}
{{- include "brettwerk.store" (list $root "broker" "BRETTWERK_BROKER_URL") }}
{{- end }}
{{- range $key, $value := $values.env }}
- { name: {{ $key }}, value: {{ $value | quote }} }
{{- end }}
{{- with include "brettwerk.more" $values.extraEnv }}{{ trim . | nindent 0 }}{{ end }}
{{- end -}}

{{/* Names by which the gateway is reached: its service's, those of the ingress, and those of the values. */}}
{{- define "brettwerk.ownHosts" -}}
{{- $service := printf "%s-gateway" (include "brettwerk.name" .) -}}
{{- $inside := printf "%s.%s" $service .Release.Namespace -}}
{{- $names := list $service $inside (printf "%s.svc" $inside) (printf "%s.svc.cluster.local" $inside) -}}
{{- if .Values.ingress.enabled -}}
{{- $names = concat $names (compact (list .Values.ingress.host .Values.ingress.grpcHost)) (.Values.ingress.extraHosts | default list) (.Values.ingress.extraGrpcHosts | default list) -}}
{{- end -}}
{{- if (.Values.routes).enabled -}}
{{- $names = concat $names .Values.routes.hosts .Values.routes.grpcHosts -}}
{{- end -}}
{{- concat $names .Values.gateway.hosts | uniq | join "," -}}
{{- end -}}

{{/* Origins of the pages that players sign in at: the ingress' and routes', and those of the values. */}}
{{- define "brettwerk.signInOrigins" -}}
{{- $origins := list -}}
{{- $hosts := list -}}
{{- if .Values.ingress.enabled }}{{ $hosts = prepend (.Values.ingress.extraHosts | default list) .Values.ingress.host }}{{ end -}}
{{- if (.Values.routes).enabled }}{{ $hosts = concat $hosts .Values.routes.hosts }}{{ end -}}
{{- range compact $hosts }}{{ $origins = append $origins (printf "https://%s" .) }}{{ end -}}
{{- concat $origins .Values.signIn.origins | uniq | join "," -}}
{{- end -}}

{{- define "brettwerk.scrape" -}}
{{- if .Values.observe.annotations }}
prometheus.io/scrape: "true"
prometheus.io/port: "9000"
prometheus.io/path: /metrics
{{- end }}
{{- end -}}

{{/* The pools of workers that are enabled, as YAML: each has from `think` what it does not say. */}}
{{- define "brettwerk.pools" -}}
{{- $pools := dict -}}
{{- range $pool, $values := .Values.workers -}}
{{- $whole := dict "busyShare" 0.7 "oldestWait" 1 "clearWithin" 30 "cpu" 60 "scaling" "none" -}}
{{- range $key, $value := $.Values.workers.think | default dict }}{{ $_ := set $whole $key $value }}{{ end -}}
{{- $_ := set $whole "enabled" true -}}
{{- range $key, $value := $values | default dict }}{{ $_ := set $whole $key $value }}{{ end -}}
{{- if $whole.enabled }}{{ $_ := set $pools $pool $whole }}{{ end -}}
{{- end -}}
{{- if not (omit $pools "statistics") }}{{ fail "workers: at least one pool must be enabled, or nobody thinks for computer players" }}{{ end -}}
{{- toYaml $pools -}}
{{- end -}}

{{/* Whether the AI service tells KEDA how many workers are needed. Values of a release before this was possible keep to Prometheus. */}}
{{- define "brettwerk.scaler" -}}
{{- $isAsked := false -}}
{{- range $pool, $values := include "brettwerk.pools" . | fromYaml }}{{ if eq $values.scaling "keda" }}{{ $isAsked = true }}{{ end }}{{ end -}}
{{- and $isAsked (eq ((.Values.keda).trigger | default "prometheus") "push") -}}
{{- end -}}

{{/* The claim of the archive in SQLite. */}}
{{- define "brettwerk.archiveClaim" -}}
{{ .Values.database.volume.existingClaim | default (printf "%s-session-archive" (include "brettwerk.name" .)) }}
{{- end -}}
