{{- define "bourse.engineService" -}}{{ .Release.Name }}-engine{{- end }}
{{- define "bourse.gatewayService" -}}{{ .Release.Name }}-gateway{{- end }}
{{- define "bourse.customersService" -}}{{ .Release.Name }}-customers{{- end }}
{{- define "bourse.domain" -}}{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}{{- end }}

{{- define "bourse.labels" -}}
app.kubernetes.io/name: bourse
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "bourse.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "bourse.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Secrets are readable for a group where Kubernetes mounts them, which the program refuses: they are copied for its user alone. */}}
{{- define "bourse.copySecrets" -}}
name: secrets
image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
command: ["/bin/sh", "-ec", "for from in /secrets/*/*; do install -m 0600 \"$from\" /private/; done"]
securityContext: {{- include "bourse.containerSecurity" . | nindent 2 }}
{{- end }}

{{/* The file of the cluster. Names of engines and gateways are those of their pods. */}}
{{- define "bourse.file" -}}
{{- $engines := list -}}
{{- range $i := until (int .Values.engines.replicas) -}}
{{- $name := printf "%s-engine-%d" $.Release.Name $i -}}
{{- $host := printf "%s.%s.%s" $name (include "bourse.engineService" $) (include "bourse.domain" $) -}}
{{- $engine := dict "name" $name "link" (printf "%s:7701" $host) "data" "/var/lib/bourse" "monitoring" (printf "%s:9464" $host) -}}
{{- if $.Values.customers.enabled }}{{- $_ := set $engine "customers" (printf "%s:7705" $host) }}{{- end -}}
{{- $engines = append $engines $engine -}}
{{- end -}}
{{- $gateways := list -}}
{{- range $i := until (int .Values.gateways.replicas) -}}
{{- $name := printf "%s-gateway-%d" $.Release.Name $i -}}
{{- $host := printf "%s.%s-pods.%s" $name (include "bourse.gatewayService" $) (include "bourse.domain" $) -}}
{{- $gateways = append $gateways (dict "name" $name "port" 8080 "monitoring" (printf "%s:9464" $host)) -}}
{{- end -}}
{{- $database := dict "host" .Values.database.host "port" .Values.database.port "name" .Values.database.name "user" .Values.database.user "passwordFile" "/private/password" "caFile" "/private/database-ca.pem" -}}
{{- $tls := dict "certFile" "/private/link.pem" "keyFile" "/private/link.key" "caFile" "/private/link-ca.pem" -}}
{{- $link := dict "secretFile" "/private/secret" "tls" $tls -}}
{{- $settings := merge (dict "host" "0.0.0.0") .Values.settings -}}
{{- $file := dict "database" $database "durability" .Values.durability "link" $link "engines" $engines "gateways" $gateways "leadership" .Values.leadership "masterKeyFile" "/private/master.key" -}}
{{- if .Values.customers.enabled -}}
{{- $processes := list -}}
{{- range $i := until (int .Values.customers.replicas) -}}
{{- $name := printf "%s-customers-%d" $.Release.Name $i -}}
{{- $host := printf "%s.%s.%s" $name (include "bourse.customersService" $) (include "bourse.domain" $) -}}
{{- $processes = append $processes (dict "name" $name "link" (printf "%s:7706" $host) "monitoring" (printf "%s:9464" $host)) -}}
{{- end -}}
{{- $store := merge (dict "passwordFile" "/private/store.password" "caFile" "/private/store-ca.pem") .Values.customers.store -}}
{{- $keys := merge (dict "passwordFile" "/private/keys.password" "caFile" "/private/keys-ca.pem") .Values.customers.keys -}}
{{- $_ := set $file "customers" (dict "exchangeSecretFile" "/private/exchange.secret" "gatewaySecretFile" "/private/gateway.secret" "store" $store "keys" $keys "processes" $processes) -}}
{{- $settings = merge (dict "customers" .Values.customers.settings) $settings -}}
{{- end -}}
{{- set $file "settings" $settings | toPrettyJson -}}
{{- end }}
