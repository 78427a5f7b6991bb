{{/* What operators say about the pods of a component. Each component takes the same settings (values.yaml lists them once, at `rules`);
those about labels, annotations and placement can also be given for all pods, at the top: what a component says itself comes first. */}}

{{/* The image of a component; call with (list $ "image" values). */}}
{{- define "brettwerk.image" -}}
{{- $root := index . 0 -}}{{- $own := (index . 2).image | default dict -}}
{{- with $own.repository }}{{ . }}{{ else }}{{ with $root.Values.image.registry }}{{ . }}/{{ end }}brettwerk-{{ index . 1 }}{{ end -}}
{{- if $own.digest }}@{{ $own.digest }}{{ else }}:{{ $own.tag | default $root.Values.image.tag | default $root.Chart.AppVersion }}{{ end -}}
{{- end -}}

{{/* The annotations of a Deployment or StatefulSet; call with values. */}}
{{- define "brettwerk.annotations" -}}
{{- with .annotations }}
annotations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Labels and annotations that pods have besides those of the chart; call with (list $ values). */}}
{{- define "brettwerk.podLabels" -}}
{{- with merge (deepCopy ((index . 1).podLabels | default dict)) ((index . 0).Values.podLabels | default dict) }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "brettwerk.podAnnotations" -}}
{{- with merge (deepCopy ((index . 1).podAnnotations | default dict)) ((index . 0).Values.podAnnotations | default dict) }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The account of a component; call with (list $ "component" values). */}}
{{- define "brettwerk.serviceAccount" -}}
{{- $root := index . 0 -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "brettwerk.name" $root }}-{{ index . 1 }}
  labels: {{- include "brettwerk.labels" (list $root (index . 1)) | nindent 4 }}
  {{- with ((index . 2).serviceAccount).annotations }}
  annotations: {{ toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}

{{/* The budget of a component with several pods; call with (list $ "component" values "maxUnavailable"). */}}
{{- define "brettwerk.budget" -}}
{{- $root := index . 0 -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "brettwerk.name" $root }}-{{ index . 1 }}
  labels: {{- include "brettwerk.labels" (list $root (index . 1)) | nindent 4 }}
spec:
  {{- toYaml ((index . 2).pdb | default (dict "maxUnavailable" (index . 3))) | nindent 2 }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "brettwerk.selector" (list $root (index . 1)) | nindent 6 }}
{{- end -}}

{{/* A sum of the secrets that were given to a component and not made by the chart, so that `helm upgrade` rolls its pods when one has
changed. Nothing where Helm sees no cluster. Certificates are not in it: processes see themselves when those are renewed.
Call with (list $ "component" values). */}}
{{- define "brettwerk.givenSecrets" -}}
{{- $root := index . 0 -}}{{- $component := index . 1 -}}{{- $values := index . 2 -}}{{- $v := $root.Values -}}
{{- $isStore := hasPrefix "redis-" $component -}}
{{- $names := list -}}
{{- if not $isStore }}{{ $names = append $names $v.innerKey.existingSecret }}{{ end -}}
{{- if has $component (list "session" "gateway") }}{{ $names = append $names $v.secretKey.existingSecret }}{{ end -}}
{{- if has $component (list "session" "players") }}{{ $names = append $names $v.database.existingSecret }}{{ end -}}
{{- if eq $component "players" }}{{ $names = append $names ((($v.signIn).openid | default dict).existingSecret | default "") }}{{ end -}}
{{- if eq $component "players" }}{{ $names = concat $names (list ((($v.notifications).push | default dict).existingSecret | default "") ((($v.notifications).mail | default dict).existingSecret | default "")) }}{{ end -}}
{{- $store := ternary "sessions" (ternary "" "broker" (has $component (list "rules" "gateway" "redis-sessions"))) (or (eq $component "session") (eq $component "redis-sessions")) -}}
{{- with $store }}{{ $names = append $names (ternary $v.redis.passwordSecret (index $v.redis .).existingSecret (index $v.redis .).enabled) }}{{ end -}}
{{- range $values.envFrom }}{{ $names = append $names (.secretRef).name }}{{ end -}}
{{- range $values.extraEnv }}{{ $names = append $names ((.valueFrom).secretKeyRef).name }}{{ end -}}
{{- $found := "" -}}
{{- range $name := compact $names | uniq | sortAlpha -}}
{{- with lookup "v1" "Secret" $root.Release.Namespace $name }}{{ $found = printf "%s %s=%s" $found $name (toJson .data) }}{{ end -}}
{{- end -}}
{{- if and (has $component (list "session" "players")) $v.database.url (not $v.database.existingSecret) }}{{ $found = printf "%s %s" $found $v.database.url }}{{ end -}}
{{- with $found }}
checksum/secrets: {{ sha256sum . }}
{{- end }}
{{- end -}}

{{/* Where the pods of a component run, and as whom; call with (list $ "component" values affinity), the last being what they need. */}}
{{- define "brettwerk.pod" -}}
{{- $root := index . 0 -}}{{- $component := index . 1 -}}{{- $values := index . 2 -}}
serviceAccountName: {{ include "brettwerk.name" $root }}-{{ $component }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName | default $root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector | default $root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations | default $root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- $affinity := deepCopy ($values.affinity | default $root.Values.affinity | default dict) }}
{{- if gt (len .) 3 }}
{{- $key := "requiredDuringSchedulingIgnoredDuringExecution" }}
{{- $near := $affinity.podAffinity | default dict }}
{{- $_ := set $near $key (concat (get $near $key | default list) (index . 3)) }}
{{- $_ := set $affinity "podAffinity" $near }}
{{- end }}
{{- with $affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- $matching := dict "labelSelector" (dict "matchLabels" (include "brettwerk.selector" (list $root $component) | fromYaml)) }}
{{- $preset := list }}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
{{- $spread := dict "maxSkew" 1 "topologyKey" . "whenUnsatisfiable" "ScheduleAnyway" }}
{{- /* Of a rollout the pods that come are spread, whichever go. Servers of stores have no such label. */}}
{{- if not (hasPrefix "redis-" $component) }}{{ $_ := set $spread "matchLabelKeys" (list "pod-template-hash") }}{{ end }}
{{- $preset = append $preset $spread }}
{{- end }}
topologySpreadConstraints:
  {{- range $values.topologySpreadConstraints | default $root.Values.topologySpreadConstraints | default $preset }}
  - {{ toYaml (merge (deepCopy .) $matching) | nindent 4 | trim }}
  {{- end }}
{{- with $values.initContainers }}
initContainers: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Whole sets of variables; call with values. */}}
{{- define "brettwerk.envFrom" -}}
{{- with .envFrom }}
envFrom: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A list of the values below another of the chart's; call with the list. */}}
{{- define "brettwerk.more" -}}
{{- with . }}
{{ toYaml . }}
{{- end }}
{{- end -}}
