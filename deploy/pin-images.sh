#!/bin/sh
# Pins the images of other publishers by the digests that their tags have now, as IMAGE:TAG@sha256:…, or renews them.
#   deploy/pin-images.sh [FILE…]
# Without files it changes deploy/Dockerfile and deploy/compose*.yaml. It asks the registry that you use, by `docker buildx`.
# For Kubernetes, put the printed digest into `digest:` beside `newTag:` of the image in your overlay.
set -eu
[ $# -gt 0 ] || set -- "$(dirname "$0")"/Dockerfile "$(dirname "$0")"/compose*.yaml

# Names with a tag; Tocsin's own image has none.
images=$(sed -nE 's/^(FROM|[[:space:]]*image:) +([^ @]+:[^ @]+)(@sha256:[0-9a-f]+)?( .*)?$/\2/p' "$@" | sort -u)
for image in $images; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  printf '%s\n' "$digest" | grep -qxE 'sha256:[0-9a-f]{64}' || {
    echo "The registry named no digest of $image, but: $digest" >&2
    exit 1
  }
  echo "$image@$digest"
  for file in "$@"; do
    sed -E "s#^(FROM|[[:space:]]*image:)( +)$image(@sha256:[0-9a-f]+)?( .*)?\$#\1\2$image@$digest\4#" "$file" > "$file.draft"
    cat "$file.draft" > "$file"
    rm "$file.draft"
  done
done
