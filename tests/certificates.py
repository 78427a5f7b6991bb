"""Real certificates for tests: an authority and what it signs, as files."""

import datetime
import ipaddress
from pathlib import Path

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    """Signs certificates for parts that listen on this machine."""

    def __init__(self, folder: Path, name: str = "test authority") -> None:
        self.folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.file = folder / f"{name.replace(' ', '-')}.crt"
        self._write(self.file, self._sign(self._name, self._key.public_key(), is_authority=True))

    def issue(self, name: str) -> dict[str, str]:
        """Return the settings of a part that has a certificate of this authority."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        certificate, private = self.folder / f"{name}.crt", self.folder / f"{name}.key"
        self._write(certificate, self._sign(subject, key.public_key(), is_authority=False))
        private.write_bytes(
            key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        )
        return {
            "BRETTWERK_TLS_CERTIFICATE": str(certificate),
            "BRETTWERK_TLS_KEY": str(private),
            "BRETTWERK_TLS_AUTHORITY": str(self.file),
        }

    def _sign(self, subject: x509.Name, public: ec.EllipticCurvePublicKey, *, is_authority: bool) -> x509.Certificate:
        now = datetime.datetime.now(datetime.UTC)
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .sign(self._key, hashes.SHA256())
        )

    def _write(self, file: Path, certificate: x509.Certificate) -> None:
        file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))


def credentials_of(authority: Authority, name: str) -> grpc.ServerCredentials:
    """Return what a server of gRPC's own library shows, and asks of its callers, as a part of the deployment."""
    files = authority.issue(name)
    certificate, key = (Path(files[f"BRETTWERK_TLS_{part}"]).read_bytes() for part in ("CERTIFICATE", "KEY"))
    return grpc.ssl_server_credentials([(key, certificate)], authority.file.read_bytes(), require_client_auth=True)
