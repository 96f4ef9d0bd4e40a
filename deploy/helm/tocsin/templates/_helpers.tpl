{{- define "tocsin.name" -}}
{{- if contains "tocsin" .Release.Name }}{{ .Release.Name }}{{ else }}{{ printf "%s-tocsin" .Release.Name }}{{ end }}
{{- end }}

{{- define "tocsin.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "tocsin.selector" . }}
{{- end }}

{{- define "tocsin.selector" -}}
app.kubernetes.io/name: tocsin
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* What does not fit together, said before anything is made. */}}
{{- define "tocsin.check" -}}
{{- $v := .Values }}
{{- if eq $v.database "sqlite" }}
{{- if or (gt (int $v.replicas) 1) $v.roles }}{{ fail "With database: sqlite there is one pod: leave replicas at 1 and roles empty, or set database: postgres." }}{{ end }}
{{- else if not $v.existingSecret }}
{{- range list "DATABASE_URL" "SECRET_KEY" }}
{{- if not (hasKey $v.secrets .) }}{{ fail (printf "With database: postgres, %s is needed in secrets, or existingSecret." .) }}{{ end }}
{{- end }}
{{- end }}
{{- if and $v.existingSecret $v.secrets }}{{ fail "Set existingSecret or secrets, not both." }}{{ end }}
{{- end }}

{{- define "tocsin.secret" -}}
{{- if .Values.existingSecret }}{{ .Values.existingSecret }}{{ else if .Values.secrets }}{{ include "tocsin.name" . }}{{ end }}
{{- end }}

{{- /* Processes by name: {role, roles, replicas, secret, region, vantage}, as JSON. */}}
{{- define "tocsin.processes" -}}
{{- $processes := dict }}
{{- $secret := include "tocsin.secret" . }}
{{- if .Values.roles }}
{{- range $role, $replicas := .Values.roles }}
{{- $_ := set $processes (printf "-%s" $role) (dict "role" $role "roles" $role "replicas" $replicas "secret" $secret) }}
{{- end }}
{{- else }}
{{- $_ := set $processes "" (dict "role" "all" "roles" "all" "replicas" .Values.replicas "secret" $secret) }}
{{- end }}
{{- range .Values.probes }}
{{- $_ := set $processes (printf "-probe-%s" .region) (dict "role" "probe" "roles" "probe" "replicas" (default 1 .replicas) "secret" .existingSecret "vantage" (default .region .vantage)) }}
{{- end }}
{{- toJson $processes }}
{{- end }}
