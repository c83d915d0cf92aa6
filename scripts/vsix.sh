#!/bin/sh
# vsix.sh FILE: packs editors/vscode for Visual Studio Code: a zip archive with two files of XML that say what it is.
set -eu
out=$1
cd "$(dirname "$0")/.."
command -v zip >/dev/null || {
  echo 'vscode: SKIP: zip is not installed (apt-get install zip)'
  exit 0
}
case $out in /*) ;; *) out=$PWD/$out ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# NAME: a string of package.json
value() { sed -n "s/^  \"$1\": \"\(.*\)\",\{0,1\}$/\1/p" editors/vscode/package.json; }
cp -R editors/vscode "$work/extension"
cp LICENSE "$work/extension/LICENSE.txt"
cat >"$work/[Content_Types].xml" <<'END'
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="json" ContentType="application/json"/>
  <Default Extension="js" ContentType="application/javascript"/>
  <Default Extension="md" ContentType="text/markdown"/>
  <Default Extension="txt" ContentType="text/plain"/>
  <Default Extension="vsixmanifest" ContentType="text/xml"/>
</Types>
END
cat >"$work/extension.vsixmanifest" <<END
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="$(value name)" Version="$(value version)" Publisher="$(value publisher)"/>
    <DisplayName>$(value displayName)</DisplayName>
    <Description xml:space="preserve">$(value description)</Description>
    <Categories>Programming Languages,Linters</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="$(sed -n 's/.*"vscode": "\([^"]*\)".*/\1/p' editors/vscode/package.json)"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
END
mkdir -p "$(dirname "$out")"
rm -f "$out"
(cd "$work" && zip -q -X -r "$out" '[Content_Types].xml' extension.vsixmanifest extension)
echo "vscode: ${out#"$PWD/"}: install it with code --install-extension"
